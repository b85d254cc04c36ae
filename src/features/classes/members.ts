import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { insertGroupMember } from '../groups/store.ts'
import type { loadMember } from '../organizations/policy.ts'
import { classRoleOf } from './policy.ts'
import { type ClassRow, findTestStudent } from './store.ts'

type OrganizationMember = Awaited<ReturnType<typeof loadMember>>

/**
 * Places somebody of its organization in a class, by the role there; harmless for who is in it already.
 * @param by who does it; null for the command line
 * @throws CLASS_ACCESS_DENIED for the test student of another class
 */
export async function joinClass(
  ctx: Context,
  tx: Transaction,
  klass: ClassRow,
  user: Pick<OrganizationMember, 'id' | 'is_test_student' | 'organization_role'>,
  by: string | null,
): Promise<void> {
  if (user.is_test_student === 1 && (await findTestStudent(tx, klass)) !== user.id) fail('CLASS_ACCESS_DENIED')
  const role = classRoleOf(user.organization_role)
  const group = { teacher: klass.teachers_group_id, student: klass.students_group_id }[role]
  const added = await insertGroupMember(tx, { group_id: group, user_id: user.id, created_at: ctx.clock.now() })
  if (added === 0) return
  const event = { organization: klass.organization_id, actor: by, subject: user.id }
  await audit(tx, ctx, { ...event, action: 'class.member-added', details: { class: klass.id, role } })
}
