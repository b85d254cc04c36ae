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

export function presentClass(
  { schoolClass, relation }: LoadedClass,
  around: ClassPresentationData,
): ClassDetails {
  return {
    id: schoolClass.id,
    state: schoolClass.state,
    name: schoolClass.name,
    section: schoolClass.section ?? undefined,
    description: schoolClass.description ?? undefined,
    organization: schoolClass.organization_id,
    owner: schoolClass.owner_id,
    creationDate: dateTime(schoolClass.created_at),
    modificationDate: dateTime(schoolClass.modified_at),
    theme: schoolClass.theme ?? undefined,
    enrollmentCode: canManage(relation) ? schoolClass.enrollment_code : undefined,
    ...around,
    level: (schoolClass.level as ClassDetails['level']) ?? undefined,
    skillsFocused: schoolClass.skills_focused ? JSON.parse(schoolClass.skills_focused) : undefined,
    size: schoolClass.size,
  }
}
