import type { ClassRole } from '../../../contract/users.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { GroupMembersTable, Placement } from '../../../platform/db/tables.ts'
import { insertGroupMember, updatePlacement } from '../../people/groups/store.ts'

const all: readonly Placement[] = ['administrator', 'roster', 'code', 'teacher']

/**
 * The placements that let a teacher set the passwords of students in a class: each student must have such a placement, and the
 * teacher too. Otherwise a teacher could get any student by adding the student to an own class, or by entering the enrolment
 * code of another class.
 */
const trusted: Readonly<Record<ClassRole, readonly Placement[]>> = {
  student: ['administrator', 'roster', 'code'],
  teacher: ['administrator', 'roster', 'teacher'],
}

export const isTrusted = (role: ClassRole, placement: Placement | null): boolean =>
  placement !== null && trusted[role].includes(placement)

/**
 * Adds a member to the teachers or students of a class. A member who is there already keeps the placement, unless only the new
 * one is trusted.
 * @returns whether anything changed
 */
export async function placeMember(
  tx: Transaction,
  role: ClassRole,
  member: GroupMembersTable & { placement: Placement },
): Promise<boolean> {
  if ((await insertGroupMember(tx, member)) > 0) return true
  if (!isTrusted(role, member.placement)) return false
  return updatePlacement(
    tx,
    member,
    all.filter((placement) => !isTrusted(role, placement)),
  )
}
