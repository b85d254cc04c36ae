import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { insertGroupMember } from '../groups/store.ts'
import type { loadMember } from '../organizations/policy.ts'
import { classRoleOf } from './policy.ts'
import { type ClassRow, findTestStudent } from './store.ts'

type OrganizationMember = Awaited<ReturnType<typeof loadMember>>

/**
 * Places somebody of its organization in a class, by the role there; harmless for who is in it already.
 * @throws CLASS_ACCESS_DENIED for the test student of another class
 */
export async function joinClass(
  { clock }: Context,
  tx: Transaction,
  klass: ClassRow,
  user: OrganizationMember,
): Promise<void> {
  if (user.is_test_student === 1 && (await findTestStudent(tx, klass)) !== user.id) fail('CLASS_ACCESS_DENIED')
  const group = { teacher: klass.teachers_group_id, student: klass.students_group_id }[
    classRoleOf(user.organization_role)
  ]
  await insertGroupMember(tx, { group_id: group, user_id: user.id, created_at: clock.now() })
}
