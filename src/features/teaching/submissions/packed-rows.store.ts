import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { SubmissionsTable } from '../../../platform/db/school-tables.ts'
import { selectExisting } from './store.ts'

/** Columns with fractions. They are not packed, because SQLite writes numbers in JSON with only 15 digits. */
type WithFraction = 'grade' | 'draft_grade' | 'max_points'

/** The columns that the presentation of a submission shows, except numbers with fractions. */
const shownColumns = [
  'id',
  'assignment_id',
  'class_id',
  'creator_id',
  'group_id',
  'state',
  'rubric',
  'draft_rubric',
  'exercises_ids',
  'answers',
  'playback',
  'created_at',
  'submitted_at',
  'returned_at',
  'return_creator_id',
] as const satisfies Exclude<keyof SubmissionsTable, WithFraction | 'draft_max_points'>[]

const packedOfAssignments = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  selectExisting(db)
    .where(p.isIn('submissions.assignment_id', 'assignments'))
    .select(['submissions.id', 'submissions.state', 'submissions.last_comment'])
    .select(['submissions.grade', 'submissions.draft_grade', 'submissions.max_points'])
    .select(p.packed(shownColumns.map((column) => `submissions.${column}`)).as('packed'))
    .orderBy('submissions.id'),
)

export type PackedSubmission = Awaited<ReturnType<typeof packedOfAssignments>>[number]

/** The columns of a submission itself that its presentation shows. */
export type ShownSubmission = Pick<SubmissionsTable, (typeof shownColumns)[number]> &
  Pick<PackedSubmission, WithFraction | 'due_at' | 'is_excused'>

/**
 * Returns all submissions to these assignments, oldest first. The shown columns are packed in one JSON array
 * per row, which is cheap to compare with the cached one; see `unpackSubmission`.
 */
export async function listPackedSubmissions(
  queries: Queries,
  assignments: readonly string[],
): Promise<PackedSubmission[]> {
  return assignments.length > 0 ? packedOfAssignments(queries, { assignments }) : []
}

export function unpackSubmission({ packed, ...numbers }: PackedSubmission): ShownSubmission {
  const values: unknown[] = JSON.parse(packed)
  const columns = Object.fromEntries(shownColumns.map((column, index) => [column, values[index]]))
  return { ...(columns as Pick<SubmissionsTable, (typeof shownColumns)[number]>), ...numbers }
}
