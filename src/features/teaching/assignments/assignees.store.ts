import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { GroupsTable } from '../../../platform/db/tables.ts'

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
export const insertNamedGroup = insertion('assignment_groups', { orIgnore: true })

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
  if (groups) await replaceGroups(tx, assignment_id, groups)
}

/** A group that an assignment names: a subgroup of the class, or a group that was made for the assignment. */
export type NamedGroup = Pick<GroupsTable, 'id' | 'type' | 'parent_id' | 'name' | 'name_key'> & {
  automatic: 0 | 1
}

/** Returns the groups that an assignment names, the oldest first. */
export async function listNamedGroups(queries: Queries, assignment: string): Promise<NamedGroup[]> {
  return queries
    .selectFrom('assignment_groups')
    .innerJoin('groups', 'groups.id', 'assignment_groups.group_id')
    .where('assignment_groups.assignment_id', '=', assignment)
    .select(['groups.id', 'groups.type', 'groups.parent_id', 'groups.name', 'groups.name_key'])
    .select('assignment_groups.automatic')
    .orderBy('groups.id')
    .execute()
}

/** Returns the members of groups, those who joined first first. Removed accounts are left out. */
export async function listGroupMembers(queries: Queries, groups: readonly string[]) {
  return queries
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', 'in', groups)
    .where('users.deletion_at', 'is', null)
    .select(['group_members.group_id', 'group_members.user_id', 'users.is_test_student'])
    .orderBy('group_members.created_at')
    .orderBy('group_members.user_id')
    .execute()
}

/**
 * Replaces the groups that an assignment names. A group that was made from one of the new groups stays. The
 * automatic groups stay if there is no new group.
 */
async function replaceGroups(tx: Transaction, assignment: string, groups: readonly string[]): Promise<void> {
  const named = await listNamedGroups(tx, assignment)
  const isNew = ({ id, parent_id }: NamedGroup) =>
    groups.includes(id) || (parent_id !== null && groups.includes(parent_id))
  const stays = (group: NamedGroup) => (groups.length === 0 ? group.automatic === 1 : isNew(group))
  for (const group of named) if (!stays(group)) await deleteNamedGroup(tx, assignment, group)
  const known = named.filter(isNew)
  await updateAutomatic(tx, { assignment, groups: known.map(({ id }) => id) })
  const knownIds = new Set(known.flatMap(({ id, parent_id }) => [id, parent_id]))
  const added = groups.filter((group) => !knownIds.has(group))
  await Promise.all(
    added.map((group_id) => insertNamedGroup(tx, { assignment_id: assignment, group_id, automatic: 0 })),
  )
}

const updateAutomatic = compiled((db, p: Params<{ assignment: string; groups: readonly string[] }>) =>
  db
    .updateTable('assignment_groups')
    .set({ automatic: 0 })
    .where('assignment_id', '=', p('assignment'))
    .where(p.isIn('group_id', 'groups')),
)

/** Removes the automatic groups, because the assignment is for other students now. */
export async function deleteAutomaticGroups(tx: Transaction, assignment: string): Promise<void> {
  for (const group of await listNamedGroups(tx, assignment))
    if (group.automatic === 1) await deleteNamedGroup(tx, assignment, group)
}

/**
 * Removes a group from an assignment. Deletes it if it was made for the assignment, unless it has started
 * work.
 */
export async function deleteNamedGroup(
  tx: Transaction,
  assignment: string,
  { id, type }: Pick<NamedGroup, 'id' | 'type'>,
): Promise<void> {
  await tx
    .deleteFrom('assignment_groups')
    .where('assignment_id', '=', assignment)
    .where('group_id', '=', id)
    .execute()
  if (type !== 'assignmentStudentsSubGroup') return
  await tx
    .deleteFrom('groups')
    .where('id', '=', id)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('submissions').where('group_id', '=', id).select('submissions.id'))),
    )
    .execute()
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
    .where(p.isIn('assignment_students.assignment_id', 'assignments'))
    .where('users.deletion_at', 'is', null)
    .select(['assignment_students.assignment_id', 'users.id'])
    .orderBy('users.name_key')
    .orderBy('users.id'),
)

const groupsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_groups')
    .innerJoin('groups', 'groups.id', 'assignment_groups.group_id')
    .where(p.isIn('assignment_groups.assignment_id', 'assignments'))
    .select(['assignment_groups.assignment_id', 'assignment_groups.automatic'])
    .select(['groups.id', 'groups.name', 'groups.parent_id'])
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

interface GroupOfAssignment extends Pick<GroupsTable, 'id' | 'name' | 'parent_id'> {
  automatic: 0 | 1
  /** The ids of the members, separated by commas. */
  members: string | null
}

/** The assignees by assignment id. */
export interface AssigneesByAssignment {
  students: ReadonlyMap<string, readonly { id: string }[]>
  groups: ReadonlyMap<string, readonly GroupOfAssignment[]>
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
