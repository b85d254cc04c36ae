import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { MissingClass } from '../../teaching/class-frame.tsx'
import { classQuery, managesClass } from '../../teaching/queries.ts'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'

interface Props {
  /** The id of the class. */
  of: string
  title: string
  /** Only who manages the class may see the content. */
  isForTeachers?: boolean
  className?: string
  children(schoolClass: ClassDetails): ReactNode
}

/** A page about one assignment, with the way back to its class. */
export function WorkFrame({ of, title, isForTeachers = false, className = 'class-page', children }: Props) {
  const { text } = useTexts()
  const schoolClass = useQuery(classQuery(of))
  if (schoolClass.error instanceof Refusal && schoolClass.error.status === 404) return <MissingClass />
  return (
    <Page title={title} className={className}>
      {(heading) => (
        <>
          <p className="back">
            <Link href={pathTo('/classes/{class}', { class: of })}>
              {schoolClass.data?.name ?? text('classes.one')}
            </Link>
          </p>
          {heading}
          <QueryContent query={schoolClass}>
            {(loaded) =>
              isForTeachers && !managesClass(loaded) ? <p>{text('classes.forTeachers')}</p> : children(loaded)
            }
          </QueryContent>
        </>
      )}
    </Page>
  )
}
