import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { EduLibrary, EduResource } from '../../../contract/edu-resources.ts'
import type { Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { AssignmentsTable, EduResourcesTable } from '../../../platform/db/school-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import { checkStaff, isAdministrator, type Member } from '../../people/organizations/policy.ts'
import { canReach } from '../../library/scores/policy.ts'
import { listAssignmentsById } from '../assignments/store.ts'
import {
  findResource,
  type SubtreeRow,
  listResourcesById,
  type ResourceLocation,
  type ResourceRow,
} from './store.ts'

/** The `place` of the resources that ship with Partita, and its name in lists. */
export const shippedLibrary = 'flatEduContent'

/** The name of each library in responses. */
export const libraryNames = {
  myResources: 'root',
  organizationResources: 'organization',
  flatEduContent: shippedLibrary,
} as const satisfies Record<EduLibrary['type'], string>

/**
 * Checks that the actor works at an organization. Students and individual accounts have no libraries.
 * @throws ORGANIZATION_ACCESS_DENIED
 */
export const checkRole = (actor: Actor): void => void checkStaff(actor)

/** Which resources of a place a viewer can see: all, those open to the organization, or only public ones. */
export type Openness = 'all' | 'organizationPublic' | 'public'

type Owned = Pick<EduResourcesTable, 'type' | 'user_id' | 'organization_id' | 'creator_id'>

export type Capabilities = Required<EduResource['capabilities']>

function libraryOf({
  user_id,
  organization_id,
}: Pick<Owned, 'user_id' | 'organization_id'>): EduLibrary['type'] {
  if (user_id !== null) return 'myResources'
  return organization_id === null ? 'flatEduContent' : 'organizationResources'
}

/**
 * Whether the library is the actor's own or that of the actor's organization. The actor sees everything in
 * both.
 */
export function isOwnLibrary(
  actor: Member,
  { user_id, organization_id }: Pick<Owned, 'user_id' | 'organization_id'>,
): boolean {
  return user_id === actor.id || organization_id === actor.organization
}

/**
 * Returns which resources in the place of `row` the actor can see; undefined for none. The privacy of a
 * folder does not apply to its contents.
 */
export function opennessOf(actor: Member, row: ResourceRow): Openness | undefined {
  if (isOwnLibrary(actor, row) || libraryOf(row) === 'flatEduContent') return 'all'
  if (row.owner_organization === actor.organization) return 'organizationPublic'
  const { owner_organization: organization_id, allows_public_scores } = row
  return canReach({ organization_id, allows_public_scores }, actor) ? 'public' : undefined
}

function isVisible(actor: Member, row: ResourceRow): boolean {
  const openness = opennessOf(actor, row)
  if (openness === undefined) return false
  return openness === 'all' || row.privacy === 'public' || row.privacy === openness
}

/** Returns the ids of those resources that the actor can see. */
export async function filterVisible(
  queries: Queries,
  actor: Member,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await listResourcesById(queries, ids)
  return new Set(rows.filter((row) => isVisible(actor, row)).map(({ id }) => id))
}

/**
 * Returns the parent to present to the actor: a folder that the actor can see or one of the actor's
 * libraries. The own library of another user has no name.
 */
export function parentFor(
  actor: Member,
  row: Owned & ResourceLocation,
  seen: ReadonlySet<string>,
): string | undefined {
  const library = libraryOf(row)
  if (library === 'flatEduContent' || isOwnLibrary(actor, row)) return row.parent_id ?? libraryNames[library]
  return row.parent_id !== null && seen.has(row.parent_id) ? row.parent_id : undefined
}

/** Returns what the actor can do with a resource that the actor can see. */
export function capabilitiesOf(actor: Member, row: Owned): Capabilities {
  const canAdd = row.type === 'folder' && isOwnLibrary(actor, row)
  const canEdit = isOwn(actor, row)
  return { canEdit, canAddResources: canAdd, canAddFolders: canAdd, canChangePrivacy: canEdit }
}

/**
 * Whether the actor owns a resource: everything in the actor's own library, and in the organization's library
 * the resources that the actor created. Administrators own the whole library of the organization.
 */
function isOwn(actor: Member, { user_id, organization_id, creator_id }: Omit<Owned, 'type'>): boolean {
  if (user_id !== null) return user_id === actor.id
  return organization_id === actor.organization && (creator_id === actor.id || isAdministrator(actor))
}

export const canSee = (): boolean => true
export const canEdit = (capabilities: Capabilities): boolean => capabilities.canEdit

/** A resource and the actor who looks at it. */
export interface LoadedResource {
  resource: ResourceRow
  actor: Member
}

/**
 * Loads a resource and checks that `can` permits the action.
 * @throws RESOURCE_NOT_FOUND when the actor cannot see a resource with this id; RESOURCE_ACCESS_DENIED when
 *   the actor can only read it
 */
export async function loadResource(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (capabilities: Capabilities) => boolean,
  details?: FailureDetails,
): Promise<LoadedResource> {
  const member = checkStaff(actor)
  const resource = isId(id) ? await findResource(queries, id) : undefined
  if (!resource || !isVisible(member, resource)) fail('RESOURCE_NOT_FOUND', details)
  if (!can(capabilitiesOf(member, resource))) fail('RESOURCE_ACCESS_DENIED', details)
  return { resource, actor: member }
}

/**
 * Loads a resource that is an assignment, together with the assignment.
 * @throws NOT_AN_ASSIGNMENT, and the errors of `loadResource`
 */
export async function loadAssignmentResource(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (capabilities: Capabilities) => boolean,
): Promise<LoadedResource & { assignment: AssignmentsTable }> {
  const loaded = await loadResource(queries, actor, id, can)
  const { assignment_id } = loaded.resource
  const [assignment] = assignment_id === null ? [] : await listAssignmentsById(queries, [assignment_id])
  if (!assignment) fail('NOT_AN_ASSIGNMENT')
  return { ...loaded, assignment }
}

/**
 * Filters a resource and its contents to what the viewer can see. The contents of an invisible folder are
 * invisible.
 */
export function visibleSubtree(
  { resource, actor }: LoadedResource,
  rows: readonly SubtreeRow[],
): SubtreeRow[] {
  const { owner_organization, allows_public_scores } = resource
  const seen = new Set<string | null>([resource.parent_id])
  return rows.filter((row) => {
    const isRowVisible =
      seen.has(row.parent_id) && isVisible(actor, { ...row, owner_organization, allows_public_scores })
    if (isRowVisible) seen.add(row.id)
    return isRowVisible
  })
}

/**
 * Checks that the actor may delete all of these resources or move them to another library.
 * @throws RESOURCES_OF_OTHERS when a resource does not belong to the actor
 */
export function checkOwnSubtree(actor: Member, rows: readonly SubtreeRow[]): void {
  if (rows.some((row) => !isOwn(actor, row))) fail('RESOURCES_OF_OTHERS')
}

/** Returns the privacy of a new resource. Resources in an organization's library are never private. */
export const privacyIn = ({
  organization_id,
}: Pick<ResourceLocation, 'organization_id'>): 'private' | 'organizationPublic' =>
  organization_id === null ? 'private' : 'organizationPublic'

/**
 * Checks a change of privacy.
 * @throws RESOURCE_NOT_PRIVATE in the library of an organization; PUBLIC_RESOURCES_DISABLED when the
 *   organization does not permit public resources
 */
export function checkPrivacy(resource: ResourceRow, privacy: EduResource['privacy']): void {
  const param = 'privacy'
  if (privacy === 'private' && resource.organization_id !== null) fail('RESOURCE_NOT_PRIVATE', { param })
  if (privacy === 'public' && resource.allows_public_scores !== 1)
    fail('PUBLIC_RESOURCES_DISABLED', { param })
}

/**
 * The scope of a list: `place` for the direct contents of a folder or library, `organization` for everything
 * in the organization's library.
 */
export interface ListScope {
  within: 'place' | 'organization'
  openness: Openness
}

/** The parameters of the filter. */
export interface FilterParams {
  place: string
  types: readonly string[]
  /** Bits, of which at least one must match; 0 disables the filter. */
  subjects: number
  grades: number
  anyAssignmentType: 0 | 1
  assignmentTypes: readonly string[]
}

/** Whether a viewer with this openness can see the resource in the outer query. */
export const isVisibleWith = (openness: Openness) => (eb: ExpressionBuilder<Tables, 'edu_resources'>) =>
  openness === 'all'
    ? sql<SqlBool>`1 = 1`
    : eb('privacy', 'in', openness === 'public' ? (['public'] as const) : ([openness, 'public'] as const))

/** Whether the folder in the outer query has a visible resource inside it, at any depth, with one of these values. */
const holdsAnyOf = (column: 'subjects' | 'grades', openness: Openness, bits: Expression<number>) => {
  const columns = sql`inside.id, inside.type, ${sql.ref(`inside.${column}`)}`
  const isVisible =
    openness === 'all'
      ? sql`1 = 1`
      : sql`inside.privacy in (${openness === 'public' ? sql`'public'` : sql`'organizationPublic', 'public'`})`
  return sql`exists (
    with recursive held(id, type, bits) as (
      select ${columns} from edu_resources as inside where inside.place = edu_resources.id and ${isVisible}
      union all
      select ${columns} from held inner join edu_resources as inside on inside.place = held.id
        where held.type = 'folder' and ${isVisible}
    )
    select 1 from held where (held.bits & ${bits}) <> 0)`
}

/**
 * The condition of a list. An unused filter is disabled by its parameter, so that one compiled query serves
 * all filters.
 */
export function isListed({ within, openness }: ListScope, p: Params<FilterParams>) {
  const anyOf = (column: 'subjects' | 'grades') =>
    sql<SqlBool>`(${p(column)} = 0 or (${sql.ref(`edu_resources.${column}`)} & ${p(column)}) <> 0
      or (edu_resources.type = 'folder' and ${holdsAnyOf(column, openness, p(column))}))`
  return (eb: ExpressionBuilder<Tables, 'edu_resources'>) =>
    eb.and([
      eb(within === 'place' ? 'edu_resources.place' : 'edu_resources.organization_id', '=', p('place')),
      isVisibleWith(openness)(eb),
      p.isIn('edu_resources.type', 'types'),
      anyOf('subjects'),
      anyOf('grades'),
      eb.or([sql<SqlBool>`${p('anyAssignmentType')} = 1`, p.isIn('assignment_type', 'assignmentTypes')]),
    ])
}
