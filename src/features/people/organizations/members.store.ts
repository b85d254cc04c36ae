import type { OrganizationRole } from '../../../contract/users.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { containing, matchesAll } from '../../../platform/db/expressions.ts'
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
  searched: boolean
  grouped: 'by one' | 'by several' | undefined
  /** Only test students (1), only other members (0), or both. */
  tests: 0 | 1 | undefined
}

const roleNames = ['role0', 'role1', 'role2', 'role3'] as const
const every: readonly OrganizationRole[] = ['user', 'teacher', 'admin', 'accountAdmin']

function filtered(db: Pick<Queries, 'selectFrom'>, variant: FilterVariant, p: Params<FilterParams>) {
  return (
    db
      .selectFrom('users')
      .where('users.deletion_at', 'is', null)
      // A literal, not a parameter, because partial indexes cover the test students.
      .$if(variant.tests !== undefined, (query) =>
        query.where('users.is_test_student', '=', (eb) => eb.lit(variant.tests ?? 0)),
      )
      .$if(variant.searched, (query) => query.where(matchesAll('users.search_key', p.list('patterns'))))
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
  const asked = filtered(db, variant, p)
    .whereRef('users.id', '=', 'group_members.user_id' as never)
    // The `coalesce` keeps the planner from using an index of the organization's members.
    .where((eb) => eb(eb.fn.coalesce('users.organization_id', eb.val('')), '=', p('organization')))
    .where('users.organization_role', 'in', rolesIn(variant, p))
    .select(`users.${column}`)
  return db
    .selectFrom('group_members')
    .$if(variant.grouped === 'by one', (query) => query.where('group_id', '=', p('group')))
    .$if(variant.grouped === 'by several', (query) => query.where('group_id', 'in', p.list('groups')))
    .select(['group_members.user_id as id', asked.as('found')])
    .distinct()
}

const listed = forEachVariant((variant: KeysetVariant & FilterVariant & { sort: MemberSort }) =>
  compiled((db, params: Params<KeysetParams & FilterParams>) => {
    const p = params as unknown as Params<FilterParams>
    const column = columns[variant.sort]
    const place = { key: params('key'), id: params('id') }
    const order = keyset(variant, `users.${column}`, 'users.id', place)
    const found = keyset(variant, 'page.found', 'page.id', place)

    const fromGroups = () =>
      db
        .selectFrom(groupMembers(db, variant, p, column).as('page'))
        .where('page.found', 'is not', null)
        .where(found.where)
    const along = filtered(db, variant, p)
      .where('users.organization_id', '=', p('organization'))
      .where(order.where)
      .select(['users.id', `users.${column} as found`])
      .orderBy(order.orderBy)
      .limit(order.limit)
    const ofRoles = rolesIn(variant, p)
    // Each role is read along its own index, for one page only. The same is true for test students.
    const parts =
      variant.tests === 1
        ? [along.where('users.organization_role', 'in', ofRoles)]
        : ofRoles.map((role) => along.where('users.organization_role', '=', role))
    const fromRoles = () =>
      db.selectFrom(
        parts
          .map((part) => db.selectFrom(part.as('part')).selectAll())
          .reduce((all, part) => all.unionAll(part))
          .as('page'),
      )
    const ids = (variant.grouped ? fromGroups() : fromRoles())
      .select(['page.id', 'page.found'])
      .orderBy(found.orderBy)
      .limit(found.limit)
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
      .select(['users.organization_id', 'users.organization_role'])
      .orderBy(order.orderBy)
  }),
)

export type MemberRow = Awaited<ReturnType<ReturnType<typeof listed>>>[number]

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
  const rows = await listed({ sort, direction, position, limit, ...variant })(queries, { key, id, ...params })
  return pageOf(request, start, rows, (row) => row[columns[sort]])
}

const counted = forEachVariant((variant: FilterVariant) =>
  compiled((db, p: Params<FilterParams>) => {
    const ids = variant.grouped
      ? db
          .selectFrom(groupMembers(db, variant, p, 'created_at').as('members'))
          .where('members.found', 'is not', null)
          .select('members.id')
          .as('found')
      : filtered(db, variant, p)
          .where('users.organization_id', '=', p('organization'))
          .where('users.organization_role', 'in', rolesIn(variant, p))
          .select('users.id')
          .as('found')
    return db.selectFrom(ids).select((eb) => eb.fn.countAll<number>().as('count'))
  }),
)

/** Counts the members that match. */
export async function countMembersOf(
  queries: Queries,
  organization: string,
  filter: MemberFilter,
): Promise<number> {
  const { variant, params } = conditionsOf(organization, filter)
  const [row] = await counted(variant)(queries, params)
  return row?.count ?? 0
}

function conditionsOf(organization: string, { roles = [], search = '', groups, testStudent }: MemberFilter) {
  const patterns = sortKey(search).split(' ').filter(Boolean).map(containing)
  const asked = roles.length > 0 ? [...new Set(roles)] : every
  const [role0 = 'user', role1 = 'user', role2 = 'user', role3 = 'user'] = asked
  const variant: FilterVariant = {
    roles: asked.length,
    searched: patterns.length > 0,
    grouped: groups === undefined ? undefined : groups.length === 1 ? 'by one' : 'by several',
    tests: testStudent === undefined ? undefined : testStudent ? 1 : 0,
  }
  const params = { organization, patterns, group: groups?.[0] ?? '', groups: groups ?? [] }
  return { variant, params: { ...params, role0, role1, role2, role3 } }
}
