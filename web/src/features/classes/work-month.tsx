import './work-month.css'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { workStateOf } from '../../teaching/work-state.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Day, dayOf, firstDayIn, keyOfDay, keyOfMonth, monthOfKey, weeksOf } from './month.ts'

interface Props {
  assignments: readonly ClassAssignment[]
  /** Whether the reader is a teacher, who sees whose work is a draft and not the state of the own work. */
  manages: boolean
}

/** The assignments of a class on the days on which they are due: a month at a time, on a phone as a list of days. */
export default function WorkMonth({ assignments, manages }: Props) {
  const { text, language } = useTexts()
  const { search, setSearch } = useRouter()
  const today = dayOf(Date.now())
  const [year, month] = monthOfKey(search.get('month') ?? '') ?? today
  const byDay = Map.groupBy(
    assignments.filter(({ dueDate }) => dueDate !== undefined),
    ({ dueDate = '' }) => keyOfDay(dayOf(Date.parse(dueDate))),
  )
  const weeks = weeksOf(year, month, firstDayIn(language))
  const isOfMonth = (day: Day) => day[1] === month
  const isEmpty = weeks.flat().every((day) => !isOfMonth(day) || !byDay.has(keyOfDay(day)))
  const withoutDate = assignments.filter(({ dueDate }) => dueDate === undefined).length
  const show = (shown: string | undefined) => setSearch({ month: shown })
  const nameOf = (day: Day, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(Date.UTC(...day))
  return (
    <section aria-labelledby="month">
      <div className="month-bar">
        <h2 id="month" aria-live="polite">
          {nameOf([year, month, 1], { month: 'long', year: 'numeric' })}
        </h2>
        <div className="buttons">
          <Button
            isSecondary
            aria-label={text('calendar.previous')}
            onPress={() => show(keyOfMonth(year, month - 1))}
          >
            <Icon name="previous" />
          </Button>
          <Button isSecondary onPress={() => show(undefined)}>
            {text('calendar.today')}
          </Button>
          <Button
            isSecondary
            aria-label={text('calendar.next')}
            onPress={() => show(keyOfMonth(year, month + 1))}
          >
            <Icon name="next" />
          </Button>
        </div>
      </div>
      {isEmpty && <p>{text('calendar.none')}</p>}
      <table className="month" aria-labelledby="month">
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={keyOfDay(day)} scope="col" abbr={nameOf(day, { weekday: 'long' })}>
                {nameOf(day, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={keyOfDay(week[0] as Day)}>
              {week.map((day) => {
                const due = byDay.get(keyOfDay(day)) ?? []
                const isToday = keyOfDay(day) === keyOfDay(today)
                return (
                  <td
                    key={keyOfDay(day)}
                    aria-current={isToday ? 'date' : undefined}
                    data-outside={!isOfMonth(day) || undefined}
                    data-empty={due.length === 0 || undefined}
                  >
                    <time dateTime={keyOfDay(day)}>
                      <span className="month-day" aria-hidden="true">
                        {day[2]}
                      </span>
                      <span className="month-date">
                        {nameOf(day, { weekday: 'long', day: 'numeric', month: 'long' })}
                      </span>
                    </time>
                    {due.length > 0 && (
                      <ul>
                        {due.map((assignment) => (
                          <li key={assignment.id}>
                            <DueLink assignment={assignment} manages={manages} />
                          </li>
                        ))}
                      </ul>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {withoutDate > 0 && <p className="hint">{text('calendar.withoutDate', { number: withoutDate })}</p>}
    </section>
  )
}

interface DueLinkProps extends Pick<Props, 'manages'> {
  assignment: ClassAssignment
}

function DueLink({ assignment, manages }: DueLinkProps) {
  const { text, language } = useTexts()
  const { id, classroom = '', title, dueDate = '', state, submissions } = assignment
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' })
  const own = workStateOf(
    // Students receive only their own id.
    { ...assignment, submission: submissions[0], isExcused: assignment.excusedStudents !== undefined },
    Date.now(),
  )
  return (
    <Link
      className="month-work"
      href={pathTo('/classes/{class}/work/{assignment}', { class: classroom, assignment: id })}
    >
      <span>{title}</span>
      <span className="month-facts">
        {time.format(Date.parse(dueDate))}{' '}
        {manages ? state !== 'active' && text(`calendar.state.${state}`) : text(`work.state.${own}`)}
      </span>
    </Link>
  )
}
