import type { GroupDetails } from '../../../contract/groups.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { isReadOnly } from './policy.ts'
import type { GroupFacts } from './store.ts'

export function presentGroupDetails(group: GroupFacts): GroupDetails {
  return {
    id: group.id,
    name: group.name,
    type: group.type,
    organization: group.organization_id,
    classroom: group.class_id ?? undefined,
    assignment: group.assignment_id ?? undefined,
    parent: group.parent_id ?? undefined,
    creationDate: dateTime(group.created_at),
    usersCount: group.users_count,
    readOnly: isReadOnly(group),
    tags: JSON.parse(group.tags),
  }
}
