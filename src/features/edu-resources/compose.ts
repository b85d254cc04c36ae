import type { Assignment } from '../../contract/assignments.ts'
import type { EduResource } from '../../contract/edu-resources.ts'
import type { Queries } from '../../db/database.ts'
import type { EduResourcesTable } from '../../db/tables.ts'
import { presentAssignment } from '../assignments/present.ts'
import { listAttachments } from '../assignments/store.ts'
import type { Member } from '../organizations/policy.ts'
import { listFolderContents } from './lists.ts'
import { capabilitiesOf, type LoadedResource, type Openness, opennessOf } from './policy.ts'
import { presentFolder, presentResource } from './present.ts'
import { listAssignmentsById } from './store.ts'

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
  const [assignments, contents] = await Promise.all([
    assignmentsOf(queries, viewer, rows),
    listFolderContents(queries, folders, openness),
  ])
  return rows.map((row) => {
    const assignment = row.assignment_id === null ? undefined : assignments.get(row.assignment_id)
    const inner = assignment ?? presentFolder(row, contents.get(row.id) ?? { count: 0, assignmentTypes: [] })
    return presentResource(viewer, row, inner)
  })
}

export async function composeResource(queries: Queries, { resource, actor }: LoadedResource): Promise<EduResource> {
  const [presented] = await composeResources(queries, actor, [resource], opennessOf(actor, resource) ?? 'public')
  return presented as EduResource
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

/** The assignment of a resource that has one, as it is answered alone. */
export async function composeResourceAssignment(
  queries: Queries,
  { resource, actor }: LoadedResource,
): Promise<Assignment> {
  const [assignment] = (await assignmentsOf(queries, actor, [resource])).values()
  return assignment as Assignment
}
