import type { Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../people/audit/audit.ts'
import type { Placement } from '../../../platform/db/tables.ts'
import type { loadMember } from '../../people/organizations/policy.ts'
import { placeMember } from './placements.ts'
import { classRoleOf } from './policy.ts'
import { type ClassRow, findTestStudent } from './store.ts'

type OrganizationMember = Awaited<ReturnType<typeof loadMember>>

/**
 * Adds a member of the organization to a class. The user joins as a student or teacher, depending on the
 * role in the organization. A user who is already in the class stays in it; only the placement can change.
 * @param by the user who adds the member; null for the command line
 * @throws CLASS_ACCESS_DENIED for the test student of another class
 */
export async function joinClass(
  ctx: Context,
  tx: Transaction,
  schoolClass: ClassRow,
  user: Pick<OrganizationMember, 'id' | 'is_test_student' | 'organization_role'>,
  { by, placement }: { by: string | null; placement: Placement },
): Promise<void> {
  if (user.is_test_student === 1 && (await findTestStudent(tx, schoolClass)) !== user.id)
    fail('CLASS_ACCESS_DENIED')
  const role = classRoleOf(user.organization_role)
  const group = { teacher: schoolClass.teachers_group_id, student: schoolClass.students_group_id }[role]
  const member = { group_id: group, user_id: user.id, created_at: ctx.clock.now(), placement }
  if (!(await placeMember(tx, role, member))) return
  const event = { organization: schoolClass.organization_id, actor: by, subject: user.id }
  const details = { class: schoolClass.id, role, placement }
  await audit(tx, ctx, { ...event, action: 'class.member-added', details })
}
