import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { GroupMembersTable, GroupsTable, Placement } from '../../../platform/db/tables.ts'
import type { UserFacts } from '../users/present.ts'

/** A group with the columns that responses show. */
export type GroupFacts = GroupsTable & {
  /** For a subgroup the group of all students of the class, for a group of an assignment its subgroup. */
  parent_id: string | null
  /** The assignment of a group that was made for one. */
  assignment_id: string | null
  users_count: number
}

/** A group with the visibility setting of its organization and the relations of the viewer. */
export type GroupRow = GroupFacts & {
  allows_public_scores: 0 | 1
  is_member: 0 | 1
  /** The viewer teaches the class of the group. */
  is_teacher: 0 | 1
  is_student: 0 | 1
}

function selectGroups(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('groups')
    .leftJoin('groups as parent', (join) =>
      join
        .onRef('parent.class_id', '=', 'groups.class_id')
        .on('parent.type', '=', 'classStudents')
        .on('groups.type', '=', 'classStudentsSubGroup'),
    )
    .leftJoin('assignment_groups', (join) =>
      join
        .onRef('assignment_groups.group_id', '=', 'groups.id')
        .on('groups.type', '=', 'assignmentStudentsSubGroup'),
    )
    .selectAll('groups')
    .select((eb) => eb.fn.coalesce('groups.parent_id', 'parent.id').as('parent_id'))
    .select('assignment_groups.assignment_id')
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('group_members')
            .innerJoin('users', 'users.id', 'group_members.user_id')
            .whereRef('group_members.group_id', '=', 'groups.id')
            .where('users.deletion_at', 'is', null)
            .select((eb) => eb.fn.countAll<number>().as('count')),
          eb.lit(0),
        )
        .as('users_count'),
    )
}

/** Whether a user is in the group of the outer query, or has this role in its class. */
const isIn = (viewer: Expression<string>, role?: 'classTeachers' | 'classStudents') => sql<0 | 1>`
  case when exists (
    select 1 from group_members
      inner join groups as joined on joined.id = group_members.group_id
      where group_members.user_id = ${viewer}
      and ${role ? sql`joined.class_id = groups.class_id and joined.type = ${sql.lit(role)}` : sql`joined.id = groups.id`}
  ) then 1 else 0 end`

const groupById = compiled((db, p: Params<{ id: string; viewer: string }>) =>
  selectGroups(db)
    .innerJoin('organizations', 'organizations.id', 'groups.organization_id')
    .where('groups.id', '=', p('id'))
    .select([
      'organizations.allows_public_scores',
      isIn(p('viewer')).as('is_member'),
      isIn(p('viewer'), 'classTeachers').as('is_teacher'),
      isIn(p('viewer'), 'classStudents').as('is_student'),
    ]),
)

export async function findGroup(
  queries: Queries,
  by: { id: string; viewer: string },
): Promise<GroupRow | undefined> {
  const [group] = await groupById(queries, by)
  return group
}

const groupsByIds = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  selectGroups(db).where(p.isIn('groups.id', 'ids')),
)

/** Lists groups by their ids, in one query. */
export async function listGroupsById(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupFacts>> {
  const rows = await groupsByIds(queries, { ids })
  return new Map(rows.map((row) => [row.id, row]))
}

export const insertGroup = insertion('groups')
/** Adds a member. Does nothing if the user is a member already. */
export const insertGroupMember = insertion('group_members', { orIgnore: true })

const groupsMadeFrom = compiled((db, p: Params<{ group: string }>) =>
  db.selectFrom('groups').where('parent_id', '=', p('group')).select('id'),
)

/** Returns the ids of the groups of assignments that were made from a subgroup. */
async function listGroupsMadeFrom(queries: Queries, group: string): Promise<string[]> {
  return (await groupsMadeFrom(queries, { group })).map(({ id }) => id)
}

/**
 * Adds a member to a subgroup of a class and to the groups of assignments that were made from it. Returns the
 * ids of all these groups.
 */
export async function insertSubGroupMember(
  tx: Transaction,
  member: Pick<GroupMembersTable, 'group_id' | 'user_id' | 'created_at'>,
): Promise<string[]> {
  const groups = [member.group_id, ...(await listGroupsMadeFrom(tx, member.group_id))]
  await Promise.all(groups.map((group_id) => insertGroupMember(tx, { ...member, group_id, placement: null })))
  return groups
}

/**
 * Removes a member from a subgroup of a class and from the groups of assignments that were made from it.
 * Returns the ids of these groups; undefined if the user was not a member of the subgroup.
 */
export async function deleteSubGroupMember(
  tx: Transaction,
  group: string,
  user: string,
): Promise<string[] | undefined> {
  if (!(await deleteGroupMember(tx, group, user))) return undefined
  const made = await listGroupsMadeFrom(tx, group)
  for (const id of made) await deleteGroupMember(tx, id, user)
  return [group, ...made]
}

/** Replaces who placed a member, if it is one of `instead`. Returns whether it was. */
export async function updatePlacement(
  tx: Transaction,
  { group_id, user_id, placement }: Pick<GroupMembersTable, 'group_id' | 'user_id' | 'placement'>,
  instead: readonly Placement[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_members')
    .set({ placement })
    .where('group_id', '=', group_id)
    .where('user_id', '=', user_id)
    .where('placement', 'in', instead)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const membersAmong = compiled((db, p: Params<{ group: string; users: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', '=', p('group'))
    .where(p.isIn('group_members.user_id', 'users'))
    .where('users.deletion_at', 'is', null)
    .select('users.id'),
)

/** Returns which of these users are in a group. */
export async function listMembersAmong(
  queries: Queries,
  group: string,
  users: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await membersAmong(queries, { group, users })
  return new Set(rows.map(({ id }) => id))
}

/** Lists the members of a group by name. */
export async function listMembers(queries: Queries, group: string): Promise<UserFacts[]> {
  return queries
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', '=', group)
    .where('users.deletion_at', 'is', null)
    .select(['users.id', 'users.username', 'users.firstname', 'users.lastname', 'users.created_at'])
    .select(['users.organization_id', 'users.organization_role', 'users.picture_id'])
    .orderBy('users.name_key')
    .orderBy('users.id')
    .execute()
}

/** Lists the subgroups of a class by name: all of them, or those that a user is in. */
export async function listSubGroups(
  queries: Queries,
  { classId, member }: { classId: string; member?: string | undefined },
): Promise<GroupFacts[]> {
  const groups = selectGroups(queries)
    .where('groups.class_id', '=', classId)
    .where('groups.type', '=', 'classStudentsSubGroup')
    .orderBy('groups.name_key')
  if (member === undefined) return groups.execute()
  const joined = queries.selectFrom('group_members').where('user_id', '=', member).select('group_id')
  return groups.where('groups.id', 'in', joined).execute()
}

/** Lists the keys of the names of a class's subgroups. */
export async function listSubGroupNames(queries: Queries, classId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('groups')
    .where('class_id', '=', classId)
    .where('type', '=', 'classStudentsSubGroup')
    .select('name_key')
    .execute()
  return rows.map(({ name_key }) => name_key)
}

const groupsOf = compiled((db, p: Params<{ users: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .where(p.isIn('user_id', 'users'))
    .select(['user_id', 'group_id'])
    .orderBy('group_id'),
)

/** Returns the ids of the groups of each user, the oldest group first. A user without a group is missing. */
export async function listGroupIds(
  queries: Queries,
  users: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = new Map<string, string[]>()
  for (const { user_id, group_id } of await groupsOf(queries, { users })) {
    ids.set(user_id, [...(ids.get(user_id) ?? []), group_id])
  }
  return ids
}

export async function updateGroupName(
  tx: Transaction,
  id: string,
  name: Pick<GroupsTable, 'name' | 'name_key'>,
): Promise<void> {
  await tx.updateTable('groups').set(name).where('id', '=', id).execute()
}

/** Deletes a group with its members and the grants to it. */
export async function deleteGroupRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('groups').where('id', '=', id).execute()
}

/** Removes a user from all groups. */
export async function deleteMemberships(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('group_members').where('user_id', '=', user).execute()
}

/** Removes a member. Returns whether the user was one. */
export async function deleteGroupMember(tx: Transaction, group: string, user: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('group_members')
    .where('group_id', '=', group)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Finds another member of a group: the one who joined first. */
export async function findOtherMember(
  queries: Queries,
  group: string,
  user: string,
): Promise<string | undefined> {
  const other = await queries
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', '=', group)
    .where('users.id', '!=', user)
    .where('users.deletion_at', 'is', null)
    .orderBy('group_members.created_at')
    .orderBy('users.id')
    .select('users.id')
    .executeTakeFirst()
  return other?.id
}
