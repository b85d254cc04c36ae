import type { ClassCreation } from '../../../contract/classes.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { newCode } from '../../../lib/codes.ts'
import type { Context } from '../../../context.ts'
import { recordEvent } from '../../people/events/events.ts'
import { groupName } from '../../people/groups/names.ts'
import { insertGroup, insertGroupMember } from '../../people/groups/store.ts'
import type { Member } from '../../people/organizations/policy.ts'
import type { State } from './lifecycle.ts'
import { type ClassRow, hasEnrollmentCode, insertClass } from './store.ts'

/**
 * Creates a class with its two groups, and adds its owner as a teacher.
 * @param externalId the id of the class in an imported roster
 */
export async function insertNewClass(
  ctx: Context,
  tx: Transaction,
  owner: Pick<Member, 'id' | 'organization'>,
  creation: ClassCreation,
  { state = 'active', externalId = null }: { state?: State; externalId?: string | null } = {},
): Promise<ClassRow> {
  const { newId, clock } = ctx
  const created_at = clock.now()
  const { name, name_key } = groupName(creation.name)
  const schoolClass = {
    id: newId(),
    organization_id: owner.organization,
    owner_id: owner.id,
    state,
    name,
    section: creation.section ?? null,
    description: creation.description ?? null,
    theme: creation.theme ?? null,
    level: creation.level ?? null,
    skills_focused: creation.skillsFocused ? JSON.stringify(creation.skillsFocused) : null,
    size: creation.size ?? null,
    enrollment_code: await unusedEnrollmentCode((code) => hasEnrollmentCode(tx, code)),
    external_id: externalId,
    created_at,
    modified_at: created_at,
  } as const
  const [teachers, students] = [newId(), newId()]
  const group = {
    organization_id: schoolClass.organization_id,
    name,
    name_key,
    created_at,
    class_id: schoolClass.id,
    parent_id: null,
    tags: '[]',
  }
  await insertClass(tx, schoolClass)
  await insertGroup(tx, { ...group, id: teachers, type: 'classTeachers' })
  await insertGroup(tx, { ...group, id: students, type: 'classStudents' })
  await insertGroupMember(tx, { group_id: teachers, user_id: owner.id, created_at, placement: 'teacher' })
  await recordEvent(ctx, tx, {
    organization: owner.organization,
    type: 'class.created',
    actor: owner.id,
    objects: { class: schoolClass.id },
  })
  return { ...schoolClass, teachers_group_id: teachers, students_group_id: students, viewer_role: 'teacher' }
}

/** Returns an unused enrollment code. */
export async function unusedEnrollmentCode(
  isTaken: (code: string) => Promise<boolean>,
  make = newCode,
): Promise<string> {
  let code: string
  do code = make(8)
  while (await isTaken(code))
  return code
}
