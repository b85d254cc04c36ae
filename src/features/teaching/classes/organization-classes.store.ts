import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { containsPattern, matchesAll } from '../../../platform/db/expressions.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { PageCursors } from '../../../answer.ts'
import type { State } from './lifecycle.ts'
import { selectClassGroups } from './store.ts'

/** Conditions on classes. Undefined fields do not filter. */
export interface ClassFilter {
  /** Every word must occur in the name. */
  search?: string | undefined
  state?: State | undefined
}

interface FilterVariant {
  ofState: boolean
  isSearched: boolean
}

interface FilterParams {
  organization: string
  state: string
  patterns: readonly string[]
}

// The groups of a class have its name as a sort key, in an index of the organization.
const listed = forEachVariant((variant: KeysetVariant & FilterVariant) =>
  compiled(
    (db, params: Params<KeysetParams & FilterParams>) => {
      const p = params as unknown as Params<FilterParams>
      const start = { key: params('key'), id: params('id') }
      const { where, orderBy, limit } = keyset(variant, 'teachers.name_key', 'classes.id', start)
      return selectClassGroups(db)
        .select(['classes.id', 'classes.name', 'classes.section', 'classes.state', 'teachers.name_key'])
        .where('teachers.organization_id', '=', p('organization'))
        .$if(variant.ofState, (query) => query.where('classes.state', '=', p('state') as never))
        .$if(variant.isSearched, (query) => query.where(matchesAll('teachers.name_key', p.list('patterns'))))
        .where(where)
        .orderBy(orderBy)
        .limit(limit)
    },
    { isScan: variant.isSearched },
  ),
)

export type OrganizationClassRow = Awaited<ReturnType<ReturnType<typeof listed>>>[number]

/** Lists a page of the classes of an organization by name. */
export async function listClassesOfOrganization(
  queries: Queries,
  organization: string,
  { search = '', state }: ClassFilter,
  page: Pick<PageRequest, 'limit' | 'next' | 'previous'>,
): Promise<{ rows: OrganizationClassRow[]; cursors: PageCursors }> {
  const request = { ...page, sort: 'name', direction: 'asc' } as const
  const start = pageStart(request, 'string')
  const { position, key, id, limit } = start
  const patterns = sortKey(search).split(' ').filter(Boolean).map(containsPattern)
  const list = listed({
    direction: 'asc',
    position,
    limit,
    ofState: state !== undefined,
    isSearched: patterns.length > 0,
  })
  const rows = await list(queries, { key, id, organization, state: state ?? 'active', patterns })
  return pageOf(request, start, rows, ({ name_key }) => name_key)
}

const teachersOf = compiled((db, p: Params<{ groups: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where(p.isIn('group_members.group_id', 'groups'))
    .where('users.deletion_at', 'is', null)
    .select(['group_members.group_id', 'users.id', 'users.username', 'users.firstname', 'users.lastname'])
    .orderBy('users.name_key')
    .orderBy('users.id'),
)

/** Returns the members of each group by name, without removed users. */
export async function listTeachersOf(queries: Queries, groups: readonly string[]) {
  return Map.groupBy(await teachersOf(queries, { groups }), ({ group_id }) => group_id)
}

const studentCounts = compiled((db, p: Params<{ groups: readonly string[] }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where(p.isIn('group_members.group_id', 'groups'))
    .where('users.deletion_at', 'is', null)
    .where('users.is_test_student', '=', 0)
    .groupBy('group_members.group_id')
    .select((eb) => ['group_members.group_id', eb.fn.countAll<number>().as('count')]),
)

/** Counts the members of each group, without removed users and test students. Groups without members are left out. */
export async function countStudentsOf(
  queries: Queries,
  groups: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await studentCounts(queries, { groups })
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}
