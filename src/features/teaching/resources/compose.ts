import type { Assignment } from '../../../contract/assignments.ts'
import type { EduResource } from '../../../contract/edu-resources.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { EduResourcesTable } from '../../../platform/db/school-tables.ts'
import { fail } from '../../../errors.ts'
import { presentAssignment } from '../assignments/present.ts'
import { listAttachments } from '../assignments/attachments.store.ts'
import { listAssignmentsById } from '../assignments/store.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { emptyFolder, listFolderContents } from './lists.store.ts'
import {
  capabilitiesOf,
  isOwnLibrary,
  type LoadedResource,
  filterVisible,
  type Openness,
  opennessOf,
  parentFor,
} from './policy.ts'
import { presentFolderResource, presentResource } from './present.ts'

/**
 * Presents resources of one library to a viewer, with a constant number of queries.
 * @param openness the resources in the folders that the viewer can see
 */
export async function composeResources(
  queries: Queries,
  viewer: Member,
  rows: readonly EduResourcesTable[],
  openness: Openness,
): Promise<EduResource[]> {
  const folders = rows.filter(({ type }) => type === 'folder').map(({ id }) => id)
  const parents = rows.filter((row) => !isOwnLibrary(viewer, row)).flatMap(({ parent_id }) => parent_id ?? [])
  const [assignments, contents, seen] = await Promise.all([
    assignmentsOf(queries, viewer, rows),
    listFolderContents(queries, folders, openness),
    filterVisible(queries, viewer, [...new Set(parents)]),
  ])
  return rows.flatMap((row) => {
    const parent = parentFor(viewer, row, seen)
    if (row.assignment_id === null) {
      return [presentFolderResource(viewer, row, contents.get(row.id) ?? emptyFolder(), parent)]
    }
    const assignment = assignments.get(row.assignment_id)
    // The assignment may have been deleted between the queries.
    return assignment ? [presentResource(viewer, row, assignment, parent)] : []
  })
}

/**
 * Presents one resource.
 * @throws RESOURCE_NOT_FOUND when it was deleted after it was loaded
 */
export async function composeResource(
  queries: Queries,
  { resource, actor }: LoadedResource,
): Promise<EduResource> {
  const [presented] = await composeResources(
    queries,
    actor,
    [resource],
    opennessOf(actor, resource) ?? 'public',
  )
  return presented ?? fail('RESOURCE_NOT_FOUND')
}

/** Presents the assignments of resources, by assignment id. */
async function assignmentsOf(
  queries: Queries,
  viewer: Member,
  rows: readonly EduResourcesTable[],
): Promise<Map<string, Assignment>> {
  const resources = new Map(
    rows.flatMap((row) => (row.assignment_id === null ? [] : [[row.assignment_id, row]])),
  )
  const ids = [...resources.keys()]
  const [assignments, attachments] = await Promise.all([
    listAssignmentsById(queries, ids),
    listAttachments(queries, ids),
  ])
  const presented = assignments.map((assignment) => {
    const resource = resources.get(assignment.id)
    // Every viewer can copy the assignment into a class as a draft. Only assignments of classes can be
    // archived.
    const capabilities = {
      canEdit: resource !== undefined && capabilitiesOf(viewer, resource).canEdit,
      canPublishInClass: true,
      canArchive: false,
      canUnarchive: false,
    }
    const attached = attachments.get(assignment.id) ?? []
    return [
      assignment.id,
      presentAssignment(assignment, attached, { capabilities, forTeachers: true }),
    ] as const
  })
  return new Map(presented)
}

/**
 * Presents the assignment of a resource.
 * @throws as `composeResource` does
 */
export async function composeResourceAssignment(
  queries: Queries,
  { resource, actor }: LoadedResource,
): Promise<Assignment> {
  const [assignment] = (await assignmentsOf(queries, actor, [resource])).values()
  return assignment ?? fail('RESOURCE_NOT_FOUND')
}
