import { type ErrorCode, fail } from '../../../errors.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Placement } from '../../../platform/db/tables.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { findUser } from '../../people/users/store.ts'
import { isTrusted } from './placements.ts'
import { listSharedPlacements } from './store.ts'

interface TeacherReset {
  /** Who placed the student and the teacher in each class that they share. */
  placements: readonly { student: Placement | null; teacher: Placement | null }[]
  isTestStudent: boolean
  isAllowed: boolean
  usesProvider: boolean
}

/** Returns why a teacher may not set the password of a user, or undefined if the teacher may. */
function refusalOf({
  placements,
  isTestStudent,
  isAllowed,
  usesProvider,
}: TeacherReset): ErrorCode | undefined {
  if (placements.length === 0) return 'ORGANIZATION_ACCESS_DENIED'
  // No person owns the account of a test student.
  if (isTestStudent) return undefined
  if (!isAllowed) return 'TEACHER_PASSWORD_RESETS_DISABLED'
  if (usesProvider) return 'STUDENT_USES_PROVIDER'
  const placed = placements.filter(({ student }) => isTrusted('student', student))
  if (placed.length === 0) return 'STUDENT_PLACED_BY_TEACHER'
  return placed.some(({ teacher }) => isTrusted('teacher', teacher)) ? undefined : 'TEACHER_JOINED_BY_CODE'
}

/** @throws one of the codes that `refusalOf` returns */
export async function checkTeacherCanReset(
  queries: Queries,
  teacher: Member,
  { id, usesProvider }: { id: string; usesProvider: boolean },
): Promise<void> {
  const [placements, user, organization] = await Promise.all([
    listSharedPlacements(queries, id, teacher.id),
    findUser(queries, { id }),
    findOrganization(queries, teacher.organization),
  ])
  const refusal = refusalOf({
    placements,
    isTestStudent: user?.is_test_student === 1,
    isAllowed: organization?.allows_teachers_to_set_passwords === 1,
    usesProvider,
  })
  if (refusal) fail(refusal)
}
