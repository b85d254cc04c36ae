import type { Assignment } from '../../contract/assignments.ts'
import type { EduResource } from '../../contract/edu-resources.ts'
import type { Queries } from '../../db/database.ts'
import type { EduResourcesTable } from '../../db/school-tables.ts'
import { fail } from '../../errors.ts'
import { presentAssignment } from '../assignments/present.ts'
import { listAttachments } from '../assignments/attached.ts'
import { listAssignmentsById } from '../assignments/store.ts'
import type { Member } from '../organizations/policy.ts'
import { listFolderContents } from './lists.ts'
import {
  capabilitiesOf,
  isAtHome,
  type LoadedResource,
  listSeen,
  type Openness,
  opennessOf,
  parentFor,
} from './policy.ts'
import { presentFolder, presentResource } from './present.ts'

/**
 * Resources of one library as somebody sees them, in a constant number of queries.
 * @param openness how much the viewer sees of what lies in the folders
 */
export async function composeResources(
  queries: Queries,
  viewer: Member,
  rows: readonly EduResourcesTable[],
  openness: Openness,
): Promise<EduResource[]> {
  const folders = rows.filter(({ type }) => type === 'folder').map(({ id }) => id)
  const parents = rows.filter((row) => !isAtHome(viewer, row)).flatMap(({ parent_id }) => parent_id ?? [])
  const [assignments, contents, seen] = await Promise.all([
    assignmentsOf(queries, viewer, rows),
    listFolderContents(queries, folders, openness),
    listSeen(queries, viewer, [...new Set(parents)]),
  ])
  return rows.flatMap((row) => {
    const inner =
      row.assignment_id === null
        ? presentFolder(row, contents.get(row.id) ?? { count: 0, assignmentTypes: [] })
        : assignments.get(row.assignment_id)
    // It may have been deleted between the queries.
    return inner ? [presentResource(viewer, row, inner, parentFor(viewer, row, seen))] : []
  })
}

/** @throws RESOURCE_NOT_FOUND where it has been deleted since it was loaded */
export async function composeResource(queries: Queries, { resource, actor }: LoadedResource): Promise<EduResource> {
  const [presented] = await composeResources(queries, actor, [resource], opennessOf(actor, resource) ?? 'public')
  return presented ?? fail('RESOURCE_NOT_FOUND')
}

/** The assignments of resources, by their own ids. */
async function assignmentsOf(
  queries: Queries,
  viewer: Member,
  rows: readonly EduResourcesTable[],
): Promise<Map<string, Assignment>> {
  const resources = new Map(rows.flatMap((row) => (row.assignment_id === null ? [] : [[row.assignment_id, row]])))
  const ids = [...resources.keys()]
  const [assignments, attachments] = await Promise.all([
    listAssignmentsById(queries, ids),
    listAttachments(queries, ids),
  ])
  const presented = assignments.map((assignment) => {
    const resource = resources.get(assignment.id)
    // Whoever sees it can make a draft of it in a class of their own; only those stand in an archive.
    const capabilities = {
      canEdit: resource !== undefined && capabilitiesOf(viewer, resource).canEdit,
      canPublishInClass: true,
      canArchive: false,
      canUnarchive: false,
    }
    const attached = attachments.get(assignment.id) ?? []
    return [assignment.id, presentAssignment(assignment, attached, { capabilities, forTeachers: true })] as const
  })
  return new Map(presented)
}

/** The assignment of a resource that has one, as it is answered alone. @throws as `composeResource` does */
export async function composeResourceAssignment(
  queries: Queries,
  { resource, actor }: LoadedResource,
): Promise<Assignment> {
  const [assignment] = (await assignmentsOf(queries, actor, [resource])).values()
  return assignment ?? fail('RESOURCE_NOT_FOUND')
}
