import type { GroupDetails } from '../../../contract/groups.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { LoadedAssignment } from '../../teaching/assignments/policy.ts'
import { listAssignees } from '../../teaching/assignments/assignees.store.ts'
import { canManage } from '../../teaching/classes/policy.ts'
import { presentGroupDetails } from './present.ts'
import { listGroupsById } from './store.ts'

/**
 * Presents the groups that an assignment names, by name. A student sees only the groups that the student is
 * in.
 */
export async function composeAssignmentGroups(
  queries: Queries,
  { assignment: { id }, relation }: LoadedAssignment,
  viewer: string,
): Promise<GroupDetails[]> {
  const named = (await listAssignees(queries, [id])).groups.get(id) ?? []
  const shown = named.filter(({ members }) => canManage(relation) || members?.split(',').includes(viewer))
  const groups = await listGroupsById(
    queries,
    shown.map((group) => group.id),
  )
  return shown.flatMap((group) => {
    const details = groups.get(group.id)
    return details ? { ...presentGroupDetails(details), assignment: id } : []
  })
}
