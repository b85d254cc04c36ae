import '../ui/choices-list.css'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { classesQuery } from './queries.ts'

interface Props {
  /** The id of a class that is not offered. */
  without?: string
  isPending?: boolean
  onChoose(id: string): void
}

/** The open classes of the teacher, to choose one. */
export function ClassChoices({ without, isPending = false, onChoose }: Props) {
  const { text } = useTexts()
  const classes = useQuery(classesQuery('active'))
  return (
    <QueryContent query={classes}>
      {(all) => {
        const offered = all.filter(({ id }) => id !== without)
        if (offered.length === 0) return <p>{text('classes.none')}</p>
        return (
          <ul className="choices-list">
            {offered.map(({ id, name, section }) => (
              <li key={id}>
                <Button isDisabled={isPending} onPress={() => onChoose(id)}>
                  {section ? `${name} · ${section}` : name}
                </Button>
              </li>
            ))}
          </ul>
        )
      }}
    </QueryContent>
  )
}
