import type { Queries } from '../../../platform/db/database.ts'
import { type Cell, Moment, type Table } from '../../../lib/spreadsheet.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { isLate } from './lifecycle.ts'
import {
  listStudents,
  listSubGroupNamesOf,
  listEffectiveSubmissions,
  maxPointsOf,
  type StudentRow,
  type StudentSubmissionRow,
} from './roster.store.ts'
import { assignmentMaxPoints } from './worksheets.ts'

const columns = [
  'Last name',
  'First name',
  'Username',
  'Email',
  'Group',
  'State',
  'Late',
  'Submission date',
  'Return date',
  'Grade',
  'Draft grade',
  'Max points',
  'Comments',
]

/** The number of students per batch. It bounds the memory that the export of a large class needs. */
const batchSize = 200

/** Returns the number of comments on each of these submissions. */
type CountComments = (submissions: readonly string[]) => Promise<ReadonlyMap<string, { total: number }>>

/**
 * Returns the grades of an assignment as a table with one row for each student, sorted by name. The rows are
 * read lazily, with four queries per batch of students.
 */
export function reviewsOf(
  queries: Queries,
  { schoolClass, assignment }: LoadedAssignment,
  countComments: CountComments,
): Table {
  async function* rows(): AsyncGenerator<Cell[][]> {
    let next: string | undefined
    do {
      const page = await listStudents(queries, schoolClass.students_group_id, { limit: batchSize, next })
      const students = page.rows.map(({ id }) => id)
      const [work, groups] = await Promise.all([
        listEffectiveSubmissions(queries, 'assignment', assignment.id, students),
        listSubGroupNamesOf(queries, { class: schoolClass.id, students }),
      ])
      const commented = [...work.values()]
        .flat()
        .flatMap(({ id, last_comment }) => (last_comment > 0 ? id : []))
      const comments = await countComments([...new Set(commented)])
      yield page.rows.map((student) => {
        const [submission] = work.get(student.id) ?? []
        return [
          ...nameCells(student),
          submission?.group_name ?? groups.get(student.id)?.join(', '),
          ...(submission
            ? submissionCells(submission, assignment.due_at)
            : [undefined, undefined, undefined, undefined, undefined, undefined]),
          (isGraded(submission) ? maxPointsOf(submission) : assignmentMaxPoints(assignment)) ?? undefined,
          submission && (comments.get(submission.id)?.total ?? 0),
        ]
      })
      next = page.cursors.next
    } while (next !== undefined)
  }
  return { columns, rows: rows() }
}

/** Whether there is a grade or a draft of one. */
const isGraded = (submission: StudentSubmissionRow | undefined): submission is StudentSubmissionRow =>
  submission !== undefined && (submission.grade !== null || submission.draft_grade !== null)

const nameCells = ({ lastname, firstname, username, email }: StudentRow): Cell[] => [
  lastname ?? undefined,
  firstname ?? undefined,
  username,
  email ?? undefined,
]

function submissionCells(
  { state, submitted_at, returned_at, grade, draft_grade }: StudentSubmissionRow,
  dueAt: number | null,
): Cell[] {
  return [
    state,
    isLate(submitted_at, dueAt) ? 'yes' : 'no',
    momentOf(submitted_at),
    momentOf(returned_at),
    grade ?? undefined,
    draft_grade ?? undefined,
  ]
}

const momentOf = (time: number | null) => (time === null ? undefined : new Moment(time))

/** The name of the exported file without its extension. */
export const fileNameOf = ({ schoolClass, assignment }: LoadedAssignment): string =>
  `${schoolClass.name} - ${assignment.title}`.replaceAll(/[\\/\p{Cc}]/gu, '_').slice(0, 150)
