import type { EduLibrary } from '../../../contract/edu-resources.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { canSee, isOwnLibrary, loadResource, type Openness, opennessOf, shippedLibrary } from './policy.ts'
import { type SubtreeRow, listAncestorFolders, type ResourceLocation } from './store.ts'

/** The names of the libraries in requests. */
const libraries: ReadonlyMap<string, EduLibrary['type']> = new Map([
  ['root', 'myResources'],
  ['myResources', 'myResources'],
  ['organization', 'organizationResources'],
  ['organizationResources', 'organizationResources'],
  ['flatEduContent', 'flatEduContent'],
])

/** The maximum depth of nested folders. */
const maxFolderDepth = 10

/** A folder or a library, and which of its resources the actor can see. */
export interface VisibleLocation extends ResourceLocation {
  openness: Openness
}

/**
 * Finds the folder or library that a request names.
 * @throws RESOURCE_NOT_FOUND when the actor cannot see it; NOT_A_FOLDER for an assignment
 */
export async function findPlace(
  queries: Queries,
  actor: Member,
  name: string,
  param: string,
): Promise<VisibleLocation> {
  const library = libraries.get(name)
  if (library) return libraryPlace(actor, library)
  const { resource } = await loadResource(queries, actor, name, canSee, { param })
  if (resource.type !== 'folder') fail('NOT_A_FOLDER', { param })
  const { user_id, organization_id, id } = resource
  return {
    user_id,
    organization_id,
    parent_id: id,
    place: id,
    openness: opennessOf(actor, resource) ?? 'public',
  }
}

function libraryPlace({ id, organization }: Member, library: EduLibrary['type']): VisibleLocation {
  const place = { user_id: null, organization_id: null, parent_id: null, openness: 'all' } as const
  switch (library) {
    case 'myResources':
      return { ...place, user_id: id, place: id }
    case 'organizationResources':
      return { ...place, organization_id: organization, place: organization }
    case 'flatEduContent':
      return { ...place, place: shippedLibrary }
  }
}

/**
 * Finds the destination of a new, moved or copied resource, and the ids of the folder itself and all folders
 * above it.
 * @throws RESOURCE_ACCESS_DENIED when the actor cannot add resources there; and the errors of `findPlace`
 */
export async function loadDestination(
  queries: Queries,
  actor: Member,
  name: string,
  param: string,
): Promise<{ destination: ResourceLocation; above: readonly string[] }> {
  const { openness: _, ...destination } = await findPlace(queries, actor, name, param)
  if (!isOwnLibrary(actor, destination)) fail('RESOURCE_ACCESS_DENIED', { param })
  return {
    destination,
    above: destination.parent_id ? await listAncestorFolders(queries, destination.parent_id) : [],
  }
}

/**
 * Checks the depth of nested folders.
 * @param folders the number of nested levels of folders that are added below `above`
 * @throws FOLDERS_TOO_DEEP
 */
export function checkDepth(above: readonly string[], folders: number, param: string): void {
  if (folders > 0 && above.length + folders > maxFolderDepth) fail('FOLDERS_TOO_DEEP', { param })
}

/** Returns the number of nested levels of folders in the result of `listSubtree`. */
export function folderDepth(rows: readonly SubtreeRow[]): number {
  return rows.reduce((deep, { type, level }) => (type === 'folder' ? Math.max(deep, level + 1) : deep), 0)
}
