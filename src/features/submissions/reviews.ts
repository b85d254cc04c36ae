import type { Queries } from '../../db/database.ts'
import { type Cell, Moment, type Table } from '../../lib/spreadsheet.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { isLate } from './lifecycle.ts'
import { listStudents, listSubGroupNamesOf, listWork, ofHowMany, type StudentRow, type WorkRow } from './roster.ts'
import { pointsOf } from './worksheets.ts'

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

/** How many students are looked up at a time: so much is held of a class, however large that is. */
const portion = 200

/** How many comments each of these submissions has, to whoever asks. */
type CountComments = (submissions: readonly string[]) => Promise<ReadonlyMap<string, { total: number }>>

/**
 * What the teachers of a class know of the work on an assignment: a row for each student, by name. It is looked up while it
 * is read, with four queries a portion of students.
 */
export function reviewsOf(
  queries: Queries,
  { klass, assignment }: LoadedAssignment,
  countComments: CountComments,
): Table {
  async function* rows(): AsyncGenerator<Cell[][]> {
    let next: string | undefined
    do {
      const page = await listStudents(queries, klass.students_group_id, { limit: portion, next })
      const students = page.rows.map(({ id }) => id)
      const [work, groups] = await Promise.all([
        listWork(queries, 'assignment', assignment.id, students),
        listSubGroupNamesOf(queries, { class: klass.id, students }),
      ])
      const commented = [...work.values()].flat().flatMap(({ id, last_comment }) => (last_comment > 0 ? id : []))
      const comments = await countComments([...new Set(commented)])
      yield page.rows.map((student) => {
        const [done] = work.get(student.id) ?? []
        return [
          ...nameCells(student),
          done?.group_name ?? groups.get(student.id)?.join(', '),
          ...(done
            ? workCells(done, assignment.due_at)
            : [undefined, undefined, undefined, undefined, undefined, undefined]),
          (isGraded(done) ? ofHowMany(done) : pointsOf(assignment)) ?? undefined,
          done && (comments.get(done.id)?.total ?? 0),
        ]
      })
      next = page.cursors.next
    } while (next !== undefined)
  }
  return { columns, rows: rows() }
}

/** Whether there is a grade, or the draft of one. */
const isGraded = (done: WorkRow | undefined): done is WorkRow =>
  done !== undefined && (done.grade !== null || done.draft_grade !== null)

const nameCells = ({ lastname, firstname, username, email }: StudentRow): Cell[] => [
  lastname ?? undefined,
  firstname ?? undefined,
  username,
  email ?? undefined,
]

function workCells({ state, submitted_at, returned_at, grade, draft_grade }: WorkRow, dueAt: number | null): Cell[] {
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

/** What the file is called, but for its ending. */
export const fileNameOf = ({ klass, assignment }: LoadedAssignment): string =>
  `${klass.name} - ${assignment.title}`.replaceAll(/[\\/\p{Cc}]/gu, '_').slice(0, 150)
