import type { OrganizationRole } from '../../contract/users.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { containing, matchesAll } from '../../db/expressions.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { PageCursors } from '../../operation.ts'

/** What members are sorted by: the columns that the indexes of an organization's people have. */
const columns = {
  creationDate: 'created_at',
  username: 'username_key',
  name: 'name_key',
  lastActivityDate: 'last_activity_at',
} as const
export type MemberSort = keyof typeof columns

/** What a member must be to be listed; what is undefined does not matter. */
export interface MemberFilter {
  /** Any one of them. */
  roles?: readonly OrganizationRole[] | undefined
  /** Every word of it must be in the names, the username or the address. */
  search?: string | undefined
  /** In any one of them. */
  groups?: readonly string[] | undefined
  testStudent?: boolean | undefined
}

interface FilterParams {
  organization: string
  patterns: readonly string[]
  groups: readonly string[]
  testStudent: 0 | 1
  role0: OrganizationRole
  role1: OrganizationRole
  role2: OrganizationRole
}

/** Which conditions a query has. */
interface FilterVariant {
  /** How many roles are asked for; none where it may be any. */
  roles: number
  searched: boolean
  grouped: boolean
  tested: boolean
}

const roleNames = ['role0', 'role1', 'role2'] as const

function filtered(db: Pick<Queries, 'selectFrom'>, variant: FilterVariant, p: Params<FilterParams>) {
  return db
    .selectFrom('users')
    .where('users.organization_id', '=', p('organization'))
    .where('users.deletion_at', 'is', null)
    .$if(variant.tested, (query) => query.where('users.is_test_student', '=', p('testStudent')))
    .$if(variant.searched, (query) => query.where(matchesAll('users.search_key', p.list('patterns'))))
    .$if(variant.grouped, (query) =>
      query.where('users.id', 'in', (eb) =>
        eb.selectFrom('group_members').where('group_id', 'in', p.list('groups')).select('user_id'),
      ),
    )
}

const listed = forEachVariant((variant: KeysetVariant & FilterVariant & { sort: MemberSort }) =>
  compiled((db, p: Params<KeysetParams & FilterParams>) => {
    const column = columns[variant.sort]
    const order = keyset(variant, `users.${column}`, 'users.id', { key: p('key'), id: p('id') })
    const page = filtered(db, variant, p as unknown as Params<FilterParams>)
      .where(order.where)
      .select(['users.id', `users.${column}`])
      .orderBy(order.orderBy)
      .limit(order.limit)
    // Each role is read along its own index, and no further than the page goes; only then are the rows looked up.
    const roles = roleNames.slice(0, variant.roles)
    const parts = roles.length > 0 ? roles.map((role) => page.where('users.organization_role', '=', p(role))) : [page]
    const found = keyset(variant, `found.${column}`, 'found.id', { key: p('key'), id: p('id') })
    const ids = db
      .selectFrom(
        parts
          .map((part) => db.selectFrom(part.as('part')).selectAll())
          .reduce((all, part) => all.unionAll(part))
          .as('found'),
      )
      .selectAll()
      .orderBy(found.orderBy)
      .limit(found.limit)
    return db
      .selectFrom(ids.as('page'))
      .innerJoin('users', 'users.id', 'page.id')
      .select(['users.id', 'users.username', 'users.firstname', 'users.lastname', 'users.email', 'users.created_at'])
      .select(['users.username_key', 'users.name_key', 'users.last_activity_at', 'users.is_test_student'])
      .select(['users.organization_id', 'users.organization_role'])
      .orderBy(order.orderBy)
  }),
)

export type MemberRow = Awaited<ReturnType<ReturnType<typeof listed>>>[number]

/** A page of the members of an organization, those left out who were removed, in one query. */
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
    const roles = roleNames.slice(0, variant.roles).map((role) => p(role))
    return filtered(db, variant, p)
      .$if(roles.length > 0, (query) => query.where('users.organization_role', 'in', roles))
      .select((eb) => eb.fn.countAll<number>().as('count'))
  }),
)

/** How many members such a list has in all. */
export async function countMembersOf(queries: Queries, organization: string, filter: MemberFilter): Promise<number> {
  const { variant, params } = conditionsOf(organization, filter)
  const [row] = await counted(variant)(queries, params)
  return row?.count ?? 0
}

function conditionsOf(organization: string, { roles = [], search = '', groups, testStudent }: MemberFilter) {
  const patterns = sortKey(search).split(' ').filter(Boolean).map(containing)
  const [role0 = 'user', role1 = 'user', role2 = 'user', ...more] = new Set(roles)
  const variant: FilterVariant = {
    // All four are any.
    roles: more.length > 0 ? 0 : new Set(roles).size,
    searched: patterns.length > 0,
    grouped: groups !== undefined,
    tested: testStudent !== undefined,
  }
  const params = { organization, patterns, groups: groups ?? [], testStudent: testStudent ? 1 : 0 } as const
  return { variant, params: { ...params, role0, role1, role2 } }
}
