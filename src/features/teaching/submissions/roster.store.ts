import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import type { SubmissionsTable } from '../../../platform/db/school-tables.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import type { PageCursors } from '../../../answer.ts'
import { isOfAssignedGroup, isIndividual } from './store.ts'
import { type SubmissionCandidate, effectiveSubmissions } from './effective-submission.ts'

const students = forEachVariant((variant: KeysetVariant) =>
  compiled((db, p: Params<KeysetParams & { group: string }>) => {
    const order = keyset(variant, 'users.name_key', 'users.id', { key: p('key'), id: p('id') })
    return db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .where('group_members.group_id', '=', p('group'))
      .where('users.deletion_at', 'is', null)
      .where(order.where)
      .select([
        'users.id',
        'users.name_key',
        'users.lastname',
        'users.firstname',
        'users.username',
        'users.email',
      ])
      .orderBy(order.orderBy)
      .limit(order.limit)
  }),
)

export type StudentRow = Awaited<ReturnType<ReturnType<typeof students>>>[number]

/** Returns a page of the students in a group, sorted by name. */
export async function listStudents(
  queries: Queries,
  group: string,
  page: Pick<PageRequest, 'limit' | 'next' | 'previous'>,
): Promise<{ rows: StudentRow[]; cursors: PageCursors }> {
  const request = { ...page, sort: 'name', direction: 'asc' } as const
  const start = pageStart(request, 'string')
  const { direction } = request
  const { position, key, id, limit } = start
  const rows = await students({ direction, position, limit })(queries, { key, id, group })
  return pageOf(request, start, rows, ({ name_key }) => name_key)
}

const columns = [
  'submissions.id',
  'submissions.assignment_id',
  'submissions.group_id',
  'submissions.state',
  'submissions.grade',
  'submissions.draft_grade',
  'submissions.max_points',
  'submissions.draft_max_points',
  'submissions.submitted_at',
  'submissions.returned_at',
  'submissions.last_comment',
] as const

/** A submission of a student, individual or with a group. */
export type StudentSubmissionRow = Pick<
  SubmissionsTable,
  (typeof columns)[number] extends `submissions.${infer Name}` ? Name : never
> & {
  student: string
  of_named_group: SubmissionCandidate['of_named_group']
  group_name: string | null
}

/** The maximum points of the grade, or of the draft when there is no grade; null when there is neither. */
export const maxPointsOf = ({ grade, max_points, draft_max_points }: StudentSubmissionRow): number | null =>
  grade === null ? draft_max_points : max_points

/**
 * Selects all submissions of these students to one assignment or in one class, before they are reduced to the
 * effective ones.
 */
const candidatesBy = (of: 'assignment_id' | 'class_id') =>
  compiled((db, p: Params<{ of: string; students: readonly string[] }>) =>
    db
      .selectFrom('submissions')
      .leftJoin('groups', 'groups.id', 'submissions.group_id')
      .where(p.isIn('submissions.creator_id', 'students'))
      .where(isIndividual)
      .where(`submissions.${of}`, '=', p('of'))
      .select(columns)
      .select([
        'submissions.creator_id as student',
        'groups.name as group_name',
        isOfAssignedGroup.as('of_named_group'),
      ])
      .unionAll(
        db
          .selectFrom('group_members')
          .innerJoin('groups', 'groups.id', 'group_members.group_id')
          .innerJoin('submissions', 'submissions.group_id', 'group_members.group_id')
          .where(p.isIn('group_members.user_id', 'students'))
          .where(`submissions.${of}`, '=', p('of'))
          .select(columns)
          .select(['group_members.user_id as student', 'groups.name as group_name'])
          .select(isOfAssignedGroup.as('of_named_group')),
      ),
  )

const candidates = { assignment: candidatesBy('assignment_id'), class: candidatesBy('class_id') }

/**
 * Returns the effective submission of each assignment by student id, for one assignment or all assignments of
 * a class.
 */
export async function listEffectiveSubmissions(
  queries: Queries,
  by: 'assignment' | 'class',
  of: string,
  students: readonly string[],
): Promise<Map<string, StudentSubmissionRow[]>> {
  const rows: StudentSubmissionRow[] = await candidates[by](queries, { of, students })
  const byStudent = Map.groupBy(rows, ({ student }) => student)
  return new Map([...byStudent].map(([student, submissions]) => [student, effectiveSubmissions(submissions)]))
}

const subGroups = compiled((db, p: Params<{ class: string; students: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where(p.isIn('group_members.user_id', 'students'))
    .where('groups.class_id', '=', p('class'))
    .where('groups.type', '=', 'classStudentsSubGroup')
    .select(['group_members.user_id', 'groups.name'])
    .orderBy('groups.name_key'),
)

/** Returns the names of the subgroups of a class by student id. */
export async function listSubGroupNamesOf(
  queries: Queries,
  by: { class: string; students: readonly string[] },
): Promise<Map<string, string[]>> {
  const rows = Map.groupBy(await subGroups(queries, by), ({ user_id }) => user_id)
  return new Map([...rows].map(([user, groups]) => [user, groups.map(({ name }) => name)]))
}
