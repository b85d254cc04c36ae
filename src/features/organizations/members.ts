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
  group: string
  groups: readonly string[]
  role0: OrganizationRole
  role1: OrganizationRole
  role2: OrganizationRole
  role3: OrganizationRole
}

/** Which conditions a query has. */
interface FilterVariant {
  /** How many roles are asked for. */
  roles: number
  searched: boolean
  grouped: 'by one' | 'by several' | undefined
  /** Only test students, or only others. */
  tests: 0 | 1 | undefined
}

const roleNames = ['role0', 'role1', 'role2', 'role3'] as const
const every: readonly OrganizationRole[] = ['user', 'teacher', 'admin', 'accountAdmin']

function filtered(db: Pick<Queries, 'selectFrom'>, variant: FilterVariant, p: Params<FilterParams>) {
  return (
    db
      .selectFrom('users')
      .where('users.deletion_at', 'is', null)
      // Not a parameter: there are indexes of the test students alone.
      .$if(variant.tests !== undefined, (query) =>
        query.where('users.is_test_student', '=', (eb) => eb.lit(variant.tests ?? 0)),
      )
      .$if(variant.searched, (query) => query.where(matchesAll('users.search_key', p.list('patterns'))))
  )
}

const rolesIn = (variant: FilterVariant, p: Params<FilterParams>) =>
  roleNames.slice(0, variant.roles).map((role) => p(role))

/**
 * Who is in the groups, and what they are sorted by, where they are asked for; else null. They are looked up one by one, from
 * the groups: PostgreSQL, while it does not know how many people an organization has, would go through all of them.
 */
function groupMembers(
  db: Pick<Queries, 'selectFrom'>,
  variant: FilterVariant,
  p: Params<FilterParams>,
  column: (typeof columns)[MemberSort],
) {
  const asked = filtered(db, variant, p)
    .whereRef('users.id', '=', 'group_members.user_id' as never)
    // So written no index of the organization's people serves it.
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
    // Each role is read along its own index, and no further than the page goes; so are the test students.
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
    // Only then are the rows looked up.
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

/** How many members such a list has in all. */
export async function countMembersOf(queries: Queries, organization: string, filter: MemberFilter): Promise<number> {
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
