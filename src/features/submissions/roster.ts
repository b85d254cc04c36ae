import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import type { SubmissionsTable } from '../../db/school-tables.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { PageCursors } from '../../operation.ts'
import { isOfNamedGroup, isOfNoGroup } from './store.ts'
import { type Claim, thatCount } from './whose-work.ts'

const students = forEachVariant((variant: KeysetVariant) =>
  compiled((db, p: Params<KeysetParams & { group: string }>) => {
    const order = keyset(variant, 'users.name_key', 'users.id', { key: p('key'), id: p('id') })
    return db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .where('group_members.group_id', '=', p('group'))
      .where('users.deletion_at', 'is', null)
      .where(order.where)
      .select(['users.id', 'users.name_key', 'users.lastname', 'users.firstname', 'users.username', 'users.email'])
      .orderBy(order.orderBy)
      .limit(order.limit)
  }),
)

export type StudentRow = Awaited<ReturnType<ReturnType<typeof students>>>[number]

/** A page of the students in a group, by name. */
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

/** What there is of a student's work, alone or with a group. */
export type WorkRow = Pick<
  SubmissionsTable,
  (typeof columns)[number] extends `submissions.${infer Name}` ? Name : never
> & {
  student: string
  of_named_group: Claim['of_named_group']
  group_name: string | null
}

/** What the grade of somebody's work is of, or else the draft of one; null where there is neither. */
export const ofHowMany = ({ grade, max_points, draft_max_points }: WorkRow): number | null =>
  grade === null ? draft_max_points : max_points

/** The submissions of these students to one assignment, or in one class: all that there are, whichever of them counts. */
const workOf = (of: 'assignment_id' | 'class_id') =>
  compiled((db, p: Params<{ of: string; students: readonly string[] }>) =>
    db
      .selectFrom('submissions')
      .leftJoin('groups', 'groups.id', 'submissions.group_id')
      .where('submissions.creator_id', 'in', p.list('students'))
      .where(isOfNoGroup)
      .where(`submissions.${of}`, '=', p('of'))
      .select(columns)
      .select(['submissions.creator_id as student', 'groups.name as group_name', isOfNamedGroup.as('of_named_group')])
      .unionAll(
        db
          .selectFrom('group_members')
          .innerJoin('groups', 'groups.id', 'group_members.group_id')
          .innerJoin('submissions', 'submissions.group_id', 'group_members.group_id')
          .where('group_members.user_id', 'in', p.list('students'))
          .where(`submissions.${of}`, '=', p('of'))
          .select(columns)
          .select(['group_members.user_id as student', 'groups.name as group_name'])
          .select(isOfNamedGroup.as('of_named_group')),
      ),
  )

const workBy = { assignment: workOf('assignment_id'), class: workOf('class_id') }

/** The work of these students on an assignment or in a class, by the student: one of each assignment. */
export async function listWork(
  queries: Queries,
  by: 'assignment' | 'class',
  of: string,
  students: readonly string[],
): Promise<Map<string, WorkRow[]>> {
  const rows: WorkRow[] = await workBy[by](queries, { of, students })
  const byStudent = Map.groupBy(rows, ({ student }) => student)
  return new Map([...byStudent].map(([student, theirs]) => [student, thatCount(theirs)]))
}

const subGroups = compiled((db, p: Params<{ class: string; students: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where('group_members.user_id', 'in', p.list('students'))
    .where('groups.class_id', '=', p('class'))
    .where('groups.type', '=', 'classStudentsSubGroup')
    .select(['group_members.user_id', 'groups.name'])
    .orderBy('groups.name_key'),
)

/** The names of the parts of a class that these students are in, by the student. */
export async function listSubGroupNamesOf(
  queries: Queries,
  by: { class: string; students: readonly string[] },
): Promise<Map<string, string[]>> {
  const rows = Map.groupBy(await subGroups(queries, by), ({ user_id }) => user_id)
  return new Map([...rows].map(([user, groups]) => [user, groups.map(({ name }) => name)]))
}
