import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'

/**
 * Whether the assignment in the outer query is assigned to the viewer. The lookup starts at the assignment,
 * which has few assignees.
 */
export const isAssignedTo = (viewer: Expression<string>) => sql<0 | 1>`
  case
    when exists (select 1 from assignment_students as named
      where named.assignment_id = assignments.id and named.user_id = ${viewer}) then 1
    when exists (select 1 from assignment_groups as named
      inner join group_members on group_members.group_id = named.group_id and group_members.user_id = ${viewer}
      where named.assignment_id = assignments.id) then 1
    else 0
  end`

/** The students and groups of an assignment whose mode is `selected`. */
export interface Assignees {
  students: readonly string[]
  groups: readonly string[]
}

const insertStudent = insertion('assignment_students', { orIgnore: true })
const insertGroup = insertion('assignment_groups', { orIgnore: true })

/** Replaces the assignees of an assignment. An undefined list stays unchanged. */
export async function replaceAssignees(
  tx: Transaction,
  assignment_id: string,
  { students, groups }: Partial<{ [K in keyof Assignees]: Assignees[K] | undefined }>,
): Promise<void> {
  if (students) {
    await tx.deleteFrom('assignment_students').where('assignment_id', '=', assignment_id).execute()
    await Promise.all(students.map((user_id) => insertStudent(tx, { assignment_id, user_id })))
  }
  if (groups) {
    await tx.deleteFrom('assignment_groups').where('assignment_id', '=', assignment_id).execute()
    await Promise.all(groups.map((group_id) => insertGroup(tx, { assignment_id, group_id })))
  }
}

/**
 * Adds the members of a group as individual assignees to the assignments that are assigned to the group.
 * Returns these assignments.
 */
export async function nameMembers(tx: Transaction, group: string): Promise<AssignmentsTable[]> {
  const named = await tx
    .selectFrom('assignments')
    .innerJoin('assignment_groups', 'assignment_groups.assignment_id', 'assignments.id')
    .where('assignment_groups.group_id', '=', group)
    .where('assignments.assignee_mode', '=', 'selected')
    .selectAll('assignments')
    .execute()
  const members = await tx
    .selectFrom('group_members')
    .where('group_id', '=', group)
    .select('user_id')
    .execute()
  await Promise.all(
    named.flatMap(({ id: assignment_id }) =>
      members.map(({ user_id }) => insertStudent(tx, { assignment_id, user_id })),
    ),
  )
  return named
}

const studentsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_students')
    .innerJoin('users', 'users.id', 'assignment_students.user_id')
    .where('assignment_students.assignment_id', 'in', p.list('assignments'))
    .where('users.deletion_at', 'is', null)
    .select(['assignment_students.assignment_id', 'users.id'])
    .orderBy('users.name_key')
    .orderBy('users.id'),
)

const groupsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_groups')
    .innerJoin('groups', 'groups.id', 'assignment_groups.group_id')
    .where('assignment_groups.assignment_id', 'in', p.list('assignments'))
    .select(['assignment_groups.assignment_id', 'groups.id', 'groups.name'])
    .select((eb) =>
      eb
        .selectFrom('group_members')
        .innerJoin('users', 'users.id', 'group_members.user_id')
        .whereRef('group_members.group_id', '=', 'groups.id')
        .where('users.deletion_at', 'is', null)
        .select(sql<string | null>`string_agg(users.id, ',' order by users.name_key, users.id)`.as('ids'))
        .as('members'),
    )
    .orderBy('groups.name_key'),
)

/** The assignees by assignment id. */
export interface AssigneesByAssignment {
  students: ReadonlyMap<string, readonly { id: string }[]>
  groups: ReadonlyMap<string, readonly { id: string; name: string; members: string | null }[]>
}

export async function listAssignees(
  queries: Queries,
  assignments: readonly string[],
): Promise<AssigneesByAssignment> {
  if (assignments.length === 0) return { students: new Map(), groups: new Map() }
  const [students, groups] = await Promise.all([
    studentsOf(queries, { assignments }),
    groupsOf(queries, { assignments }),
  ])
  const byAssignment = ({ assignment_id }: { assignment_id: string }) => assignment_id
  return { students: Map.groupBy(students, byAssignment), groups: Map.groupBy(groups, byAssignment) }
}

/** Removes a user from the assignees of the assignments of one class or of all. Returns these assignments. */
export async function deleteAssignee(
  tx: Transaction,
  user: string,
  classId: string | undefined,
): Promise<string[]> {
  const named = tx.deleteFrom('assignment_students').where('user_id', '=', user).returning('assignment_id')
  const rows =
    classId === undefined
      ? await named.execute()
      : await named
          .where('assignment_id', 'in', (eb) =>
            eb.selectFrom('assignments').where('class_id', '=', classId).select('id'),
          )
          .execute()
  return rows.map(({ assignment_id }) => assignment_id)
}
