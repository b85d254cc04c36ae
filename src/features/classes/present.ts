import type { ClassDetails } from '../../contract/classes.ts'
import type { GroupDetails } from '../../contract/groups.ts'
import { dateTime } from '../../lib/date-time.ts'
import { canManage, type LoadedClass } from './policy.ts'

/** What belongs to others and stands in the details of a class. */
export interface ClassSurroundings {
  teachersGroup: GroupDetails
  studentsGroup: GroupDetails
  /** Those that the viewer finds. */
  assignmentsCount: number
}

export function presentClass({ klass, standing }: LoadedClass, around: ClassSurroundings): ClassDetails {
  return {
    id: klass.id,
    state: klass.state,
    name: klass.name,
    section: klass.section ?? undefined,
    organization: klass.organization_id,
    owner: klass.owner_id,
    creationDate: dateTime(klass.created_at),
    modificationDate: dateTime(klass.modified_at),
    enrollmentCode: canManage(standing) ? klass.enrollment_code : undefined,
    ...around,
    level: (klass.level as ClassDetails['level']) ?? undefined,
    skillsFocused: klass.skills_focused ? JSON.parse(klass.skills_focused) : undefined,
    size: klass.size,
  }
}
