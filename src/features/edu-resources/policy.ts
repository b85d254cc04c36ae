import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { EduLibrary, EduResource } from '../../contract/edu-resources.ts'
import type { Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import type { AssignmentsTable, EduResourcesTable } from '../../db/school-tables.ts'
import type { Tables } from '../../db/tables.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor } from '../../operation.ts'
import { checkStaff, isAdministrator, type Member } from '../organizations/policy.ts'
import { isWithinReach } from '../scores/policy.ts'
import { listAssignmentsById } from '../assignments/store.ts'
import { findResource, type InnerRow, listResourcesById, type Place, type ResourceRow } from './store.ts'

/** Where what ships with Partita lies, and what lists call it. */
export const shippedPlace = 'flatEduContent'

/** The name that answers call a library by. */
export const libraryNames = {
  myResources: 'root',
  organizationResources: 'organization',
  flatEduContent: shippedPlace,
} as const satisfies Record<EduLibrary['type'], string>

/** Students have no libraries, nor have individual accounts. @throws ORGANIZATION_ACCESS_DENIED */
export const checkRole = (actor: Actor): void => void checkStaff(actor)

/** Which resources of one place somebody sees: all, those open to the organization, or those open to everyone. */
export type Openness = 'all' | 'organizationPublic' | 'public'

type Owned = Pick<EduResourcesTable, 'type' | 'user_id' | 'organization_id' | 'creator_id'>

export type Capabilities = Required<EduResource['capabilities']>

function libraryOf({ user_id, organization_id }: Pick<Owned, 'user_id' | 'organization_id'>): EduLibrary['type'] {
  if (user_id !== null) return 'myResources'
  return organization_id === null ? 'flatEduContent' : 'organizationResources'
}

/** Whether it is the actor's own library, or the organization's, where everything is seen. */
export function isAtHome(
  actor: Member,
  { user_id, organization_id }: Pick<Owned, 'user_id' | 'organization_id'>,
): boolean {
  return user_id === actor.id || organization_id === actor.organization
}

/**
 * What the actor sees of what lies where this does; undefined for nothing. A folder opens nothing: each resource has a
 * privacy of its own.
 */
export function opennessOf(actor: Member, row: ResourceRow): Openness | undefined {
  if (isAtHome(actor, row) || libraryOf(row) === 'flatEduContent') return 'all'
  if (row.owner_organization === actor.organization) return 'organizationPublic'
  const { owner_organization: organization_id, allows_public_scores } = row
  return isWithinReach({ organization_id, allows_public_scores }, actor) ? 'public' : undefined
}

function isSeen(actor: Member, row: ResourceRow): boolean {
  const openness = opennessOf(actor, row)
  if (openness === undefined) return false
  return openness === 'all' || row.privacy === 'public' || row.privacy === openness
}

/** Which of these resources, in libraries of others, the actor sees. */
export async function listSeen(queries: Queries, actor: Member, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await listResourcesById(queries, ids)
  return new Set(rows.filter((row) => isSeen(actor, row)).map(({ id }) => id))
}

/**
 * Where the actor finds that it lies: in a folder that is seen, or in one of the libraries that the actor has. The own
 * library of another has no name.
 */
export function parentFor(actor: Member, row: Owned & Place, seen: ReadonlySet<string>): string | undefined {
  const library = libraryOf(row)
  if (library === 'flatEduContent' || isAtHome(actor, row)) return row.parent_id ?? libraryNames[library]
  return row.parent_id !== null && seen.has(row.parent_id) ? row.parent_id : undefined
}

/** What the actor can do with a resource that is seen. */
export function capabilitiesOf(actor: Member, row: Owned): Capabilities {
  const canAdd = row.type === 'folder' && isAtHome(actor, row)
  const canEdit = isOwn(actor, row)
  return { canEdit, canAddResources: canAdd, canAddFolders: canAdd, canChangePrivacy: canEdit }
}

/** Of one's own library everything is, of the organization's what one has put there; to its administrators all of it. */
function isOwn(actor: Member, { user_id, organization_id, creator_id }: Omit<Owned, 'type'>): boolean {
  if (user_id !== null) return user_id === actor.id
  return organization_id === actor.organization && (creator_id === actor.id || isAdministrator(actor))
}

export const canSee = (): boolean => true
export const canEdit = (capabilities: Capabilities): boolean => capabilities.canEdit

/** A resource, and who looks at it. */
export interface LoadedResource {
  resource: ResourceRow
  actor: Member
}

/**
 * A resource, for someone who can do this with it.
 * @throws RESOURCE_NOT_FOUND when there is none that the actor may see; RESOURCE_ACCESS_DENIED when it may only be seen
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
  if (!resource || !isSeen(member, resource)) fail('RESOURCE_NOT_FOUND', details)
  if (!can(capabilitiesOf(member, resource))) fail('RESOURCE_ACCESS_DENIED', details)
  return { resource, actor: member }
}

/** The same of a resource that is an assignment, with that. @throws NOT_AN_ASSIGNMENT, and as `loadResource` does */
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

/** Of a resource and what is in it, what its viewer sees: what lies in a folder that is not seen is not seen here either. */
export function visibleInside({ resource, actor }: LoadedResource, rows: readonly InnerRow[]): InnerRow[] {
  const { owner_organization, allows_public_scores } = resource
  const seen = new Set<string | null>([resource.parent_id])
  return rows.filter((row) => {
    const isVisible = seen.has(row.parent_id) && isSeen(actor, { ...row, owner_organization, allows_public_scores })
    if (isVisible) seen.add(row.id)
    return isVisible
  })
}

/**
 * Whether somebody may take all of this away from the others.
 * @throws RESOURCES_OF_OTHERS where not everything in a folder is the actor's
 */
export function checkOwnInside(actor: Member, rows: readonly InnerRow[]): void {
  if (rows.some((row) => !isOwn(actor, row))) fail('RESOURCES_OF_OTHERS')
}

/** The privacy of what is new in a place: nothing in an organization's library is private. */
export const privacyIn = ({ organization_id }: Pick<Place, 'organization_id'>): 'private' | 'organizationPublic' =>
  organization_id === null ? 'private' : 'organizationPublic'

/**
 * @throws RESOURCE_NOT_PRIVATE in the library of an organization; PUBLIC_RESOURCES_DISABLED where the organization keeps
 * to itself what its members have
 */
export function checkPrivacy(resource: ResourceRow, privacy: EduResource['privacy']): void {
  const param = 'privacy'
  if (privacy === 'private' && resource.organization_id !== null) fail('RESOURCE_NOT_PRIVATE', { param })
  if (privacy === 'public' && resource.allows_public_scores !== 1) fail('PUBLIC_RESOURCES_DISABLED', { param })
}

/** What a list shows: `within` is what lies directly in a folder or library, or everything of an organization's library. */
export interface Reach {
  within: 'place' | 'organization'
  openness: Openness
}

/** What of it is asked for. */
export interface FilterParams {
  place: string
  types: readonly string[]
  /** Any of these bits; 0 for whatever it has. */
  subjects: number
  grades: number
  anyAssignmentType: 0 | 1
  assignmentTypes: readonly string[]
}

/** Whether somebody who sees this much of a place sees the resource of the outer query. */
export const isOpen = (openness: Openness) => (eb: ExpressionBuilder<Tables, 'edu_resources'>) =>
  openness === 'all'
    ? sql<SqlBool>`1 = 1`
    : eb('privacy', 'in', openness === 'public' ? (['public'] as const) : ([openness, 'public'] as const))

/** The condition of a list. What is not asked for is a condition on its parameter alone, and not another query. */
export function isListed({ within, openness }: Reach, p: Params<FilterParams>) {
  const anyOf = (column: 'subjects' | 'grades') =>
    sql<SqlBool>`(${p(column)} = 0 or (${sql.ref(`edu_resources.${column}`)} & ${p(column)}) <> 0)`
  return (eb: ExpressionBuilder<Tables, 'edu_resources'>) =>
    eb.and([
      eb(within === 'place' ? 'edu_resources.place' : 'edu_resources.organization_id', '=', p('place')),
      isOpen(openness)(eb),
      eb('edu_resources.type', 'in', p.list('types') as never),
      anyOf('subjects'),
      anyOf('grades'),
      eb.or([
        sql<SqlBool>`${p('anyAssignmentType')} = 1`,
        eb('assignment_type', 'in', p.list('assignmentTypes') as never),
      ]),
    ])
}
