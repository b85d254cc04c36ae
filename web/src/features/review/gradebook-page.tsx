import './gradebook.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import type { Gradebook } from '../../../../src/contract/submissions.ts'
import { useTexts } from '../../app/texts.ts'
import { ClassFrame } from '../../teaching/class-frame.tsx'
import { Button } from '../../ui/buttons.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { csvOf } from './csv.ts'
import { averageOf, gradeRows, studentName } from './grade-rows.ts'
import { gradebookQuery } from './queries.ts'

/** What every student of a class has reached in every assignment. */
export function GradebookPage({ class: id }: AddressParameters<'/classes/{class}/gradebook'>) {
  return (
    <ClassFrame id={id} address="/classes/{class}/gradebook" isWide>
      {(schoolClass) => <Grades schoolClass={schoolClass} />}
    </ClassFrame>
  )
}

function Grades({ schoolClass }: { schoolClass: ClassDetails }) {
  const { text } = useTexts()
  const gradebook = useInfiniteQuery(gradebookQuery(schoolClass.id))
  return (
    <QueryContent query={gradebook}>
      {({ pages }) => {
        const assignments = pages[0]?.rows.assignments ?? []
        const students = pages.flatMap(({ rows }) => rows.students)
        if (assignments.length === 0 || students.length === 0) return <p>{text('gradebook.empty')}</p>
        return (
          <>
            <GradeTable of={schoolClass.id} gradebook={{ assignments, students }} />
            <div className="buttons">
              {gradebook.hasNextPage ? (
                <Button onPress={() => void gradebook.fetchNextPage()}>{text('gradebook.more')}</Button>
              ) : (
                <Button
                  isSecondary
                  onPress={() =>
                    saveCsv(
                      schoolClass.name,
                      gradeRows(
                        { assignments, students },
                        {
                          name: text('table.name'),
                          average: text('gradebook.average'),
                          missing: text('gradebook.missing'),
                          excused: text('work.state.excused'),
                        },
                      ),
                    )
                  }
                >
                  {text('review.csv')}
                </Button>
              )}
            </div>
          </>
        )
      }}
    </QueryContent>
  )
}

interface TableProps {
  /** The id of the class. */
  of: string
  gradebook: Gradebook
}

type Student = Gradebook['students'][number]

function GradeTable({ of, gradebook: { assignments, students } }: TableProps) {
  const { text, language } = useTexts()
  const numbers = new Intl.NumberFormat(language)
  return (
    // The table is wider than the window. A keyboard scrolls it when it has the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable
    <section className="gradebook" aria-label={text('classes.gradebook')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('table.name')}</th>
            <th scope="col">{text('gradebook.average')}</th>
            {assignments.map(({ id, title, maxPoints, weight }) => (
              <th scope="col" key={id}>
                <Link
                  href={pathTo('/classes/{class}/work/{assignment}/review', { class: of, assignment: id })}
                >
                  {title}
                </Link>
                {maxPoints !== undefined && (
                  <span className="hint">{text('work.upTo', { points: maxPoints })}</span>
                )}
                {weight !== undefined && <span className="hint">{text('gradebook.weight', { weight })}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <tr key={student.user}>
              <th scope="row">{studentName(student)}</th>
              <td>{formatAverage(averageOf(student.grades, assignments), language)}</td>
              {assignments.map(({ id }) => {
                const cell = student.grades.find(({ assignment }) => assignment === id)
                return <td key={id}>{cell && <GradeCell cell={cell} format={numbers} />}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function formatAverage(average: number | undefined, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return average === undefined ? '' : format.format(average)
}

function GradeCell({ cell, format }: { cell: Student['grades'][number]; format: Intl.NumberFormat }) {
  const { text } = useTexts()
  const { grade, draftGrade, state, late, missing, excused } = cell
  return (
    <>
      {grade !== undefined && <strong>{format.format(grade)}</strong>}
      {draftGrade !== undefined && <span>{text('gradebook.draft', { grade: draftGrade })}</span>}
      {grade === undefined && draftGrade === undefined && state === 'turnedIn' && (
        <span>{text('work.state.turnedIn')}</span>
      )}
      {grade === undefined && draftGrade === undefined && state === 'returned' && (
        <span>{text('work.state.returned')}</span>
      )}
      {excused && <span>{text('work.state.excused')}</span>}
      {missing && <span className="desk-late">{text('gradebook.missing')}</span>}
      {late && <span className="desk-late">{text('review.late')}</span>}
    </>
  )
}

/** Lets the browser save the grades as a file for a spreadsheet. */
function saveCsv(name: string, rows: ReturnType<typeof gradeRows>): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }))
  link.download = `${name.replaceAll(/[\\/\p{Cc}]/gu, '_')}.csv`
  link.click()
  // The browser reads the file after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
