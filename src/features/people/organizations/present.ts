import type { UserDetailsAdmin } from '../../../contract/organizations.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { presentUser, type UserFacts } from '../users/present.ts'

/** The columns of a member that administrators of the organization may see. */
export type MemberFacts = UserFacts & {
  email: string | null
  last_activity_at: number
  is_test_student: 0 | 1
}

/** Presents a member for administrators. */
export function presentMember(
  member: MemberFacts,
  groups: readonly string[],
  license: UserDetailsAdmin['license'],
  publicUrl: string,
): UserDetailsAdmin {
  const isTestStudent = member.is_test_student === 1
  return {
    ...presentUser(member, publicUrl),
    email: member.email ?? undefined,
    lastActivityDate: member.last_activity_at > 0 ? dateTime(member.last_activity_at) : undefined,
    license: isTestStudent ? undefined : license,
    groups: [...groups],
    isEduTestingStudent: isTestStudent,
  }
}

/** Presents only what identifies a member. */
export const presentMemberId = ({
  id,
  username,
}: Pick<MemberFacts, 'id' | 'username'>): UserDetailsAdmin => ({
  id,
  type: 'user',
  product: 'flatEdu',
  username,
  picture: null,
})
