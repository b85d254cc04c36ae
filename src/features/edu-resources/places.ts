import type { EduLibrary } from '../../contract/edu-resources.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Member } from '../organizations/policy.ts'
import { canSee, isAtHome, loadResource, type Openness, opennessOf, shippedPlace } from './policy.ts'
import { type InnerRow, listFoldersAbove, type Place } from './store.ts'

/** The names by which callers know the libraries, and what each is. */
const libraries: ReadonlyMap<string, EduLibrary['type']> = new Map([
  ['root', 'myResources'],
  ['myResources', 'myResources'],
  ['organization', 'organizationResources'],
  ['organizationResources', 'organizationResources'],
  ['flatEduContent', 'flatEduContent'],
])

/** How many folders may lie in one another. */
const deepestFolder = 10

/** A folder or a library, as one looks into it. */
export interface OpenPlace extends Place {
  openness: Openness
}

/**
 * The place that a caller names.
 * @throws RESOURCE_NOT_FOUND where there is none that the actor may see; NOT_A_FOLDER for an assignment
 */
export async function openPlace(queries: Queries, actor: Member, asked: string, param: string): Promise<OpenPlace> {
  const library = libraries.get(asked)
  if (library) return libraryPlace(actor, library)
  const { resource } = await loadResource(queries, actor, asked, canSee, { param })
  if (resource.type !== 'folder') fail('NOT_A_FOLDER', { param })
  const { user_id, organization_id, id } = resource
  return { user_id, organization_id, parent_id: id, place: id, openness: opennessOf(actor, resource) ?? 'public' }
}

function libraryPlace({ id, organization }: Member, library: EduLibrary['type']): OpenPlace {
  const place = { user_id: null, organization_id: null, parent_id: null, openness: 'all' } as const
  switch (library) {
    case 'myResources':
      return { ...place, user_id: id, place: id }
    case 'organizationResources':
      return { ...place, organization_id: organization, place: organization }
    case 'flatEduContent':
      return { ...place, place: shippedPlace }
  }
}

/**
 * A place into which something is put, and the folders above it, itself among them.
 * @throws as `openPlace` does; RESOURCE_ACCESS_DENIED where nothing may be added
 */
export async function loadDestination(
  queries: Queries,
  actor: Member,
  asked: string,
  param: string,
): Promise<{ destination: Place; above: readonly string[] }> {
  const { openness: _, ...destination } = await openPlace(queries, actor, asked, param)
  if (!isAtHome(actor, destination)) fail('RESOURCE_ACCESS_DENIED', { param })
  return { destination, above: destination.parent_id ? await listFoldersAbove(queries, destination.parent_id) : [] }
}

/**
 * @param folders how many lie in one another in what is put below those
 * @throws FOLDERS_TOO_DEEP
 */
export function checkDepth(above: readonly string[], folders: number, param: string): void {
  if (folders > 0 && above.length + folders > deepestFolder) fail('FOLDERS_TOO_DEEP', { param })
}

/** How many folders lie in one another in what `listInside` gives. */
export function foldersDeep(rows: readonly InnerRow[]): number {
  return rows.reduce((deep, { type, level }) => (type === 'folder' ? Math.max(deep, level + 1) : deep), 0)
}
