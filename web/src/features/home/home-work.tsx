import './home-work.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { HomeAssignment } from '../../../../src/contract/home.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { Due } from '../../teaching/due.tsx'
import { WorkBadge } from '../../teaching/work-badge.tsx'
import { byDueDate, isOpen, workStateOf } from '../../teaching/work-state.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { HomeSchool } from './home-school.tsx'

const homeWorkQuery = queryOptions({ queryKey: ['home'], queryFn: () => call('listHomeWork') })

/** What the user has to do for school: for an administrator the school in numbers, for a student what is due and what came back, for a teacher what waits. */
export default function HomeWork() {
  const { organizationRole } = useMe()
  // An individual account has no classes.
  if (organizationRole === null) return null
  return (
    <>
      <HomeSchool />
      <SchoolWork isStudent={organizationRole === 'user'} />
    </>
  )
}

function SchoolWork({ isStudent }: { isStudent: boolean }) {
  const { text } = useTexts()
  const work = useQuery(homeWorkQuery)
  const now = Date.now()
  return (
    <QueryContent query={work}>
      {({ learning, teaching }) => {
        const rows = learning.map(rowOf)
        const states = new Map(rows.map((row) => [row, workStateOf(row, now)]))
        const open = rows.filter((row) => isOpen(states.get(row) ?? 'toRead')).sort(byDueDate)
        const back = rows.filter((row) => !open.includes(row))
        const taught = teaching.map(rowOf).sort(byDueDate)
        const toReview = taught.filter((row) => row.toReview > 0)
        const soon = taught.filter((row) => row.dueDate !== undefined && Date.parse(row.dueDate) >= now)
        return (
          <>
            <WorkList
              id="home-to-do"
              title={text('work.toDo')}
              empty={isStudent ? text('work.allDone') : undefined}
            >
              {open.map((row) => (
                <WorkRow key={row.id} row={row}>
                  <WorkBadge state={states.get(row) ?? 'toDo'} />
                </WorkRow>
              ))}
            </WorkList>
            <WorkList id="home-returned" title={text('home.returned')}>
              {back.map((row) => (
                <WorkRow key={row.id} row={row}>
                  <WorkBadge state={states.get(row) ?? 'returned'} />
                  {row.grade !== null && row.maxPoints !== null && (
                    <span>{text('work.points', { points: row.grade, of: row.maxPoints })}</span>
                  )}
                </WorkRow>
              ))}
            </WorkList>
            <WorkList
              id="home-to-review"
              title={text('home.toReview')}
              empty={isStudent ? undefined : text('home.nothingToReview')}
            >
              {toReview.map((row) => (
                <WorkRow key={row.id} row={row} isReview>
                  <strong>{text('work.toReview', { number: row.toReview })}</strong>
                </WorkRow>
              ))}
            </WorkList>
            <WorkList id="home-due" title={text('home.dueSoon')}>
              {soon.map((row) => (
                <WorkRow key={row.id} row={row} />
              ))}
            </WorkList>
          </>
        )
      }}
    </QueryContent>
  )
}

type Row = ReturnType<typeof rowOf>

/** Returns an assignment as the functions for assignments of a class take it. */
const rowOf = ({ dueDate, state, ...rest }: HomeAssignment) => ({
  ...rest,
  ...(dueDate !== null && { dueDate }),
  submission: state === null ? undefined : { state },
})

interface ListProps {
  /** The id of the heading. */
  id: string
  title: string
  /** What an empty list says. Without it, an empty list is not shown. */
  empty?: string | undefined
  children: readonly React.ReactNode[]
}

function WorkList({ id, title, empty, children }: ListProps) {
  if (children.length === 0 && empty === undefined) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children.length === 0 ? <p>{empty}</p> : <ul className="home-work">{children}</ul>}
    </section>
  )
}

interface RowProps {
  row: Row
  /** Leads to the desk instead of the assignment. */
  isReview?: boolean
  children?: React.ReactNode
}

function WorkRow({ row, isReview = false, children }: RowProps) {
  const address = isReview
    ? '/classes/{class}/work/{assignment}/review'
    : '/classes/{class}/work/{assignment}'
  return (
    <li>
      <Link href={pathTo(address, { class: row.class.id, assignment: row.id })}>
        <span className="home-work-title">{row.title}</span>
        <span className="home-work-class">{row.class.name}</span>
        {row.dueDate !== undefined && <Due date={row.dueDate} />}
        {children}
      </Link>
    </li>
  )
}
