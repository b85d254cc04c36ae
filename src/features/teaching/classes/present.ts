import type { ClassDetails } from '../../../contract/classes.ts'
import type { GroupDetails } from '../../../contract/groups.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { canManage, type LoadedClass } from './policy.ts'

/** The data of other tables that the presentation includes. */
export interface ClassPresentationData {
  teachersGroup: GroupDetails
  studentsGroup: GroupDetails
  /** The number of assignments that the viewer can see. */
  assignmentsCount: number
}

export function presentClass({ klass, standing }: LoadedClass, around: ClassPresentationData): ClassDetails {
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
