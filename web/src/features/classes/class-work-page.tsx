import './class-work-page.css'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { ClassFrame } from '../../teaching/class-frame.tsx'
import { Due } from '../../teaching/due.tsx'
import { assignmentsQuery, managesClass } from '../../teaching/queries.ts'
import { WorkBadge } from '../../teaching/work-badge.tsx'
import { byDueDate, isOpen, progressOf, workStateOf } from '../../teaching/work-state.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Empty } from '../../ui/empty.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { QueryContent } from '../../ui/query-content.tsx'

const WorkMonth = loadedWhenIdle(() => import('./work-month.tsx'))

/** The assignments of a class: for a student what is to do, for a teacher what the class has done. */
export function ClassWorkPage({ class: id }: AddressParameters<'/classes/{class}'>) {
  return (
    <ClassFrame id={id} address="/classes/{class}">
      {(schoolClass) => <Work schoolClass={schoolClass} />}
    </ClassFrame>
  )
}

function Work({ schoolClass }: { schoolClass: ClassDetails }) {
  const { text } = useTexts()
  const assignments = useQuery(assignmentsQuery(schoolClass.id))
  const manages = managesClass(schoolClass)
  const { search, setSearch } = useRouter()
  const isMonth = search.get('view') === 'month'
  return (
    <>
      {schoolClass.description && <p>{schoolClass.description}</p>}
      {manages && schoolClass.state !== 'archived' && (
        <p>
          <ButtonLink href={pathTo('/classes/{class}/work/new', { class: schoolClass.id })}>
            {text('work.new')}
          </ButtonLink>
        </p>
      )}
      <QueryContent query={assignments}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="classes" title={text('work.none')}>
              <p>{text(manages ? 'work.noneTeacher' : 'work.noneStudent')}</p>
            </Empty>
          ) : (
            <>
              <Views isMonth={isMonth} onChange={(view) => setSearch({ view, month: undefined })} />
              {isMonth ? (
                <Suspense>
                  <WorkMonth assignments={all} manages={manages} />
                </Suspense>
              ) : manages ? (
                <TeacherLists assignments={all} students={schoolClass.studentsGroup?.usersCount ?? 0} />
              ) : (
                <StudentLists assignments={all} />
              )}
            </>
          )
        }
      </QueryContent>
    </>
  )
}

interface ViewsProps {
  isMonth: boolean
  /** The view as it is in the address: undefined for the usual one. */
  onChange(view: 'month' | undefined): void
}

/** Chooses between the lists and the calendar. */
function Views({ isMonth, onChange }: ViewsProps) {
  const { text } = useTexts()
  return (
    <fieldset className="bare buttons work-views">
      <legend className="visually-hidden">{text('calendar.view')}</legend>
      <Button isSecondary aria-pressed={!isMonth} onPress={() => onChange(undefined)}>
        {text('calendar.list')}
      </Button>
      <Button isSecondary aria-pressed={isMonth} onPress={() => onChange('month')}>
        {text('calendar.month')}
      </Button>
    </fieldset>
  )
}

function StudentLists({ assignments }: { assignments: readonly ClassAssignment[] }) {
  const { text } = useTexts()
  const now = Date.now()
  const work = assignments.map((assignment) => ({
    assignment,
    state: workStateOf(
      {
        ...assignment,
        submission: assignment.submissions[0],
        // Students receive only their own id.
        isExcused: assignment.excusedStudents !== undefined,
      },
      now,
    ),
  }))
  const open = work
    .filter(({ assignment, state }) => isOpen(state) && assignment.state === 'active')
    .sort((one, other) => byDueDate(one.assignment, other.assignment))
  const rest = work.filter((one) => !open.includes(one))
  const rowOf = ({ assignment, state }: (typeof work)[number]) => (
    <WorkRow key={assignment.id} assignment={assignment}>
      <WorkBadge state={state} />
      <Grade submission={assignment.submissions[0]} />
    </WorkRow>
  )
  return (
    <>
      <WorkList id="to-do" title={text('work.toDo')} empty={text('work.allDone')}>
        {open.map(rowOf)}
      </WorkList>
      {rest.length > 0 && (
        <WorkList id="other" title={text('work.rest')}>
          {rest.map(rowOf)}
        </WorkList>
      )}
    </>
  )
}

function Grade({ submission }: { submission: ClassAssignment['submissions'][number] | undefined }) {
  const { text, language } = useTexts()
  const { grade, maxPoints } = submission ?? {}
  if (grade === undefined || grade === null) return null
  const format = new Intl.NumberFormat(language)
  return (
    <span>
      {maxPoints === undefined ? format.format(grade) : text('work.points', { points: grade, of: maxPoints })}
    </span>
  )
}

interface TeacherListsProps {
  assignments: readonly ClassAssignment[]
  /** The number of students of the class. */
  students: number
}

function TeacherLists({ assignments, students }: TeacherListsProps) {
  const { text } = useTexts()
  const inState = (state: ClassAssignment['state']) => assignments.filter((one) => one.state === state)
  const lists = [
    ['draft', 'work.drafts', inState('draft')],
    ['active', 'work.active', inState('active').sort(byDueDate)],
    ['archived', 'work.archived', inState('archived')],
  ] as const
  return lists.map(
    ([state, title, rows]) =>
      rows.length > 0 && (
        <WorkList key={state} id={state} title={text(title)}>
          {rows.map((assignment) => (
            <WorkRow key={assignment.id} assignment={assignment}>
              {state !== 'draft' && assignment.type !== 'none' && (
                <ClassProgress assignment={assignment} students={students} />
              )}
            </WorkRow>
          ))}
        </WorkList>
      ),
  )
}

function ClassProgress({ assignment, students }: { assignment: ClassAssignment; students: number }) {
  const { text } = useTexts()
  const { toReview, turnedIn } = progressOf(assignment)
  // Only everybody in the class is counted: the number of those who were named is not known here.
  const isForAll = assignment.assigneeMode !== 'selected' && assignment.submissionStudentsMode !== 'group'
  return (
    <>
      <span>
        {isForAll
          ? text('work.turnedInOf', { number: turnedIn, of: students })
          : text('work.turnedIn', { number: turnedIn })}
      </span>
      {toReview > 0 && <strong>{text('work.toReview', { number: toReview })}</strong>}
    </>
  )
}

interface ListProps {
  /** The id of the heading. */
  id: string
  title: string
  /** What an empty list says. */
  empty?: string
  children: readonly React.ReactNode[]
}

function WorkList({ id, title, empty, children }: ListProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children.length === 0 ? <p>{empty}</p> : <ul className="work-list">{children}</ul>}
    </section>
  )
}

function WorkRow({ assignment, children }: { assignment: ClassAssignment; children: React.ReactNode }) {
  const { text } = useTexts()
  const { id, classroom = '', type, title, dueDate, scheduledDate, state } = assignment
  return (
    <li>
      <Link
        className="work-row"
        href={pathTo('/classes/{class}/work/{assignment}', { class: classroom, assignment: id })}
      >
        <span className="work-title">{title}</span>
        <span className="work-type">{text(`work.type.${type}`)}</span>
        <span className="work-facts">
          {dueDate !== undefined && <Due date={dueDate} />}
          {state === 'draft' && scheduledDate !== undefined && (
            <Due date={scheduledDate} label="work.scheduled" />
          )}
          {children}
        </span>
      </Link>
    </li>
  )
}
