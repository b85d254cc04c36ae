import '../../ui/choices-list.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { ChoiceDialog } from '../../teaching/choice-dialog.tsx'
import { assignmentsQuery, classesQuery } from '../../teaching/queries.ts'
import { libraries, resourcesQuery } from '../../teaching/resources.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QueryContent } from '../../ui/query-content.tsx'

/** A class, a library or a folder that assignments are taken from. */
interface Source {
  readonly kind: 'class' | 'place'
  readonly id: string
  readonly title: string
}

/** An assignment of a class or of a library. */
interface Chosen {
  readonly source: Source
  readonly id: string
}

interface Props {
  /** The id of the class that gets the copy. */
  of: string
  onClose(): void
}

/** Chooses an assignment of another class or of a library. The class gets a copy of it as a draft, whose form opens. */
export function ReuseDialog({ of, onClose }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const [path, setPath] = useState<readonly Source[]>([])
  const open = path.at(-1)
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ source, id }: Chosen): Promise<{ id: string }> =>
      source.kind === 'class'
        ? call('copyAssignment', { params: { class: source.id, assignment: id }, body: { classroom: of } })
        : call('useEduResourceInClass', { params: { resource: id }, body: { classroom: of } }),
    async onSuccess(draft) {
      onClose()
      await queries.invalidateQueries({ queryKey: ['classes'] })
      goTo(pathTo('/classes/{class}/work/{assignment}/edit', { class: of, assignment: draft.id }))
    },
  })
  const listProps = {
    isPending,
    onOpen: (source: Source) => setPath([...path, source]),
    onChoose: (chosen: Chosen) => mutate(chosen),
  }
  return (
    <ChoiceDialog
      title={text('work.reuse')}
      explanation={text('work.reuseWhat')}
      error={error}
      onClose={onClose}
    >
      {open && <p>{path.map(({ title }) => title).join(' › ')}</p>}
      {open === undefined ? (
        <Sources {...listProps} />
      ) : open.kind === 'class' ? (
        <ClassWork source={open} {...listProps} />
      ) : (
        <Resources source={open} {...listProps} />
      )}
      {open && (
        <Button isSecondary onPress={() => setPath(path.slice(0, -1))}>
          {text('resources.back')}
        </Button>
      )}
    </ChoiceDialog>
  )
}

interface ListProps {
  isPending: boolean
  onOpen(source: Source): void
  onChoose(chosen: Chosen): void
}

function Sources({ onOpen }: ListProps) {
  const { text } = useTexts()
  const active = useQuery(classesQuery('active'))
  // The classes of last year.
  const archived = useQuery(classesQuery('archived'))
  const classes = [...(active.data ?? []), ...(archived.data ?? [])]
  return (
    <ul className="choices-list">
      {libraries.map((id) => (
        <Choice
          key={id}
          icon="read"
          onPress={() => onOpen({ kind: 'place', id, title: text(`resources.library.${id}`) })}
        >
          {text(`resources.library.${id}`)}
        </Choice>
      ))}
      {classes.map(({ id, name, section }) => (
        <Choice key={id} icon="classes" onPress={() => onOpen({ kind: 'class', id, title: name })}>
          {section ? `${name} · ${section}` : name}
        </Choice>
      ))}
    </ul>
  )
}

function ClassWork({ source, isPending, onChoose }: ListProps & { source: Source }) {
  const { text } = useTexts()
  const assignments = useQuery(assignmentsQuery(source.id))
  return (
    <QueryContent query={assignments}>
      {(all) =>
        all.length === 0 ? (
          <p>{text('work.none')}</p>
        ) : (
          <ul className="choices-list">
            {all.map(({ id, title }) => (
              <Choice key={id} isDisabled={isPending} onPress={() => onChoose({ source, id })}>
                {title}
              </Choice>
            ))}
          </ul>
        )
      }
    </QueryContent>
  )
}

function Resources({ source, isPending, onOpen, onChoose }: ListProps & { source: Source }) {
  const { text } = useTexts()
  const resources = useQuery(resourcesQuery(source.id))
  return (
    <QueryContent query={resources}>
      {(all) =>
        all.length === 0 ? (
          <p>{text('resources.none')}</p>
        ) : (
          <ul className="choices-list">
            {all.map(({ id, title, type }) =>
              type === 'folder' ? (
                <Choice key={id} icon="folder" onPress={() => onOpen({ kind: 'place', id, title })}>
                  {title}
                </Choice>
              ) : (
                <Choice key={id} isDisabled={isPending} onPress={() => onChoose({ source, id })}>
                  {title}
                </Choice>
              ),
            )}
          </ul>
        )
      }
    </QueryContent>
  )
}

interface ChoiceProps {
  icon?: 'read' | 'classes' | 'folder'
  isDisabled?: boolean
  onPress(): void
  children: ReactNode
}

const Choice = ({ icon, children, ...props }: ChoiceProps) => (
  <li>
    <Button {...props}>
      {icon && <Icon name={icon} />}
      {children}
    </Button>
  </li>
)
