import type { OrganizationRole } from '../../../contract/users.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { containsPattern, matchesAll } from '../../../platform/db/expressions.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { PageCursors } from '../../../answer.ts'

/** The sort orders of members, each with the column of its index. */
const columns = {
  creationDate: 'created_at',
  username: 'username_key',
  name: 'name_key',
  lastActivityDate: 'last_activity_at',
} as const
export type MemberSort = keyof typeof columns

/** Conditions on members. Undefined fields do not filter. */
export interface MemberFilter {
  /** The member has one of these roles. */
  roles?: readonly OrganizationRole[] | undefined
  /** Every word must occur in the names, the username or the address. */
  search?: string | undefined
  /** The member is in one of these groups. */
  groups?: readonly string[] | undefined
  testStudent?: boolean | undefined
}

interface FilterParams {
  organization: string
  patterns: readonly string[]
  group: string
  groups: readonly string[]
  role0: OrganizationRole
  role1: OrganizationRole
  role2: OrganizationRole
  role3: OrganizationRole
}

/** The conditions that a query contains. */
interface FilterVariant {
  /** The number of roles in the filter. */
  roles: number
  isSearched: boolean
  groupFilter: 'by one' | 'by several' | undefined
  /** Only test students (1), only other members (0), or both. */
  testStudents: 0 | 1 | undefined
}

const roleNames = ['role0', 'role1', 'role2', 'role3'] as const
const allRoles: readonly OrganizationRole[] = ['user', 'teacher', 'admin', 'accountAdmin']

function filteredUsers(db: Pick<Queries, 'selectFrom'>, variant: FilterVariant, p: Params<FilterParams>) {
  return (
    db
      .selectFrom('users')
      .where('users.deletion_at', 'is', null)
      // A literal, not a parameter, because partial indexes cover the test students.
      .$if(variant.testStudents !== undefined, (query) =>
        query.where('users.is_test_student', '=', (eb) => eb.lit(variant.testStudents ?? 0)),
      )
      .$if(variant.isSearched, (query) => query.where(matchesAll('users.search_key', p.list('patterns'))))
  )
}

const rolesIn = (variant: FilterVariant, p: Params<FilterParams>) =>
  roleNames.slice(0, variant.roles).map((role) => p(role))

/**
 * Selects the members of the groups in the filter, with the sort column, or else null. The query starts from
 * the groups: PostgreSQL, without statistics about the organization, would scan all of its members.
 */
function groupMembers(
  db: Pick<Queries, 'selectFrom'>,
  variant: FilterVariant,
  p: Params<FilterParams>,
  column: (typeof columns)[MemberSort],
) {
  const sortColumn = filteredUsers(db, variant, p)
    .whereRef('users.id', '=', 'group_members.user_id' as never)
    // The `coalesce` keeps the planner from using an index of the organization's members.
    .where((eb) => eb(eb.fn.coalesce('users.organization_id', eb.val('')), '=', p('organization')))
    .where('users.organization_role', 'in', rolesIn(variant, p))
    .select(`users.${column}`)
  return db
    .selectFrom('group_members')
    .$if(variant.groupFilter === 'by one', (query) => query.where('group_id', '=', p('group')))
    .$if(variant.groupFilter === 'by several', (query) => query.where(p.isIn('group_id', 'groups')))
    .select(['group_members.user_id as id', sortColumn.as('found')])
    .distinct()
}

const listQuery = forEachVariant((variant: KeysetVariant & FilterVariant & { sort: MemberSort }) =>
  compiled(
    (db, params: Params<KeysetParams & FilterParams>) => {
      const p = params as unknown as Params<FilterParams>
      const column = columns[variant.sort]
      const cursor = { key: params('key'), id: params('id') }
      const order = keyset(variant, `users.${column}`, 'users.id', cursor)
      const pageOrder = keyset(variant, 'page.found', 'page.id', cursor)

      const fromGroups = () =>
        db
          .selectFrom(groupMembers(db, variant, p, column).as('page'))
          .where('page.found', 'is not', null)
          .where(pageOrder.where)
      const ordered = filteredUsers(db, variant, p)
        .where('users.organization_id', '=', p('organization'))
        .where(order.where)
        .select(['users.id', `users.${column} as found`])
        .orderBy(order.orderBy)
        .limit(order.limit)
      const roles = rolesIn(variant, p)
      // Each role is read along its own index, for one page only. The same is true for test students.
      const parts =
        variant.testStudents === 1
          ? [ordered.where('users.organization_role', 'in', roles)]
          : roles.map((role) => ordered.where('users.organization_role', '=', role))
      const fromRoles = () =>
        db.selectFrom(
          parts
            .map((part) => db.selectFrom(part.as('part')).selectAll())
            .reduce((all, part) => all.unionAll(part))
            .as('page'),
        )
      const ids = (variant.groupFilter ? fromGroups() : fromRoles())
        .select(['page.id', 'page.found'])
        .orderBy(pageOrder.orderBy)
        .limit(pageOrder.limit)
      // Only the rows of the page are read from the table.
      return db
        .selectFrom(ids.as('page'))
        .innerJoin('users', 'users.id', 'page.id')
        .select([
          'users.id',
          'users.username',
          'users.firstname',
          'users.lastname',
          'users.email',
          'users.created_at',
        ])
        .select(['users.username_key', 'users.name_key', 'users.last_activity_at', 'users.is_test_student'])
        .select(['users.organization_id', 'users.organization_role', 'users.picture_id'])
        .orderBy(order.orderBy)
    },
    { isScan: variant.isSearched },
  ),
)

export type MemberRow = Awaited<ReturnType<ReturnType<typeof listQuery>>>[number]

/** Lists a page of the members of an organization, without removed ones, in one query. */
export async function listMembersOf(
  queries: Queries,
  organization: string,
  filter: MemberFilter,
  request: PageRequest & { sort: MemberSort },
): Promise<{ rows: MemberRow[]; cursors: PageCursors }> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'username' || sort === 'name' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const { variant, params } = conditionsOf(organization, filter)
  const rows = await listQuery({ sort, direction, position, limit, ...variant })(queries, {
    key,
    id,
    ...params,
  })
  return pageOf(request, start, rows, (row) => row[columns[sort]])
}

const countQuery = forEachVariant((variant: FilterVariant) =>
  compiled(
    (db, p: Params<FilterParams>) => {
      const ids = variant.groupFilter
        ? db
            .selectFrom(groupMembers(db, variant, p, 'created_at').as('members'))
            .where('members.found', 'is not', null)
            .select('members.id')
            .as('found')
        : filteredUsers(db, variant, p)
            .where('users.organization_id', '=', p('organization'))
            .where('users.organization_role', 'in', rolesIn(variant, p))
            .select('users.id')
            .as('found')
      return db.selectFrom(ids).select((eb) => eb.fn.countAll<number>().as('count'))
    },
    { isScan: variant.isSearched },
  ),
)

/** Counts the members that match. */
export async function countMembersOf(
  queries: Queries,
  organization: string,
  filter: MemberFilter,
): Promise<number> {
  const { variant, params } = conditionsOf(organization, filter)
  const [row] = await countQuery(variant)(queries, params)
  return row?.count ?? 0
}

function conditionsOf(organization: string, { roles = [], search = '', groups, testStudent }: MemberFilter) {
  const patterns = sortKey(search).split(' ').filter(Boolean).map(containsPattern)
  const filterRoles = roles.length > 0 ? [...new Set(roles)] : allRoles
  const [role0 = 'user', role1 = 'user', role2 = 'user', role3 = 'user'] = filterRoles
  const variant: FilterVariant = {
    roles: filterRoles.length,
    isSearched: patterns.length > 0,
    groupFilter: groups === undefined ? undefined : groups.length === 1 ? 'by one' : 'by several',
    testStudents: testStudent === undefined ? undefined : testStudent ? 1 : 0,
  }
  const params = { organization, patterns, group: groups?.[0] ?? '', groups: groups ?? [] }
  return { variant, params: { ...params, role0, role1, role2, role3 } }
}
