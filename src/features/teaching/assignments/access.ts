import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import type { ClassRow } from '../classes/store.ts'
import {
  type AssignmentGrant,
  replaceAssignmentGrants,
} from '../../library/sharing/assignment-grants.store.ts'
import { accessLevelOf } from './attachments.ts'
import { isOpenToWork } from './lifecycle.ts'
import { isOpenToClass } from './policy.ts'
import { type AttachmentRow, listAttachments, listOwnedWithin } from './attachments.store.ts'
import type { AssignmentAccessRow } from './store.ts'
import { listAssignees } from './assignees.store.ts'

/**
 * Replaces the access grants of an assignment by those that its current state requires. Call it after every
 * change of the assignment, its assignees or its visibility.
 */
export async function recomputeGrants(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  schoolClass: ClassRow,
  assignment: AssignmentAccessRow,
): Promise<void> {
  const { id, creator_id: by } = assignment
  const rows = (await listAttachments(tx, [id])).get(id) ?? []
  const scores = rows.flatMap(({ score_id }) => score_id ?? [])
  // A class must not grant access to scores of users outside its organization. Users with other access to
  // these scores can read them anyway.
  const within = await listOwnedWithin(tx, scores, schoolClass.organization_id)
  const attached = rows.filter(({ score_id }) => within.has(score_id))
  const students = isOpenToClass(assignment, schoolClass, clock.now())
    ? await studentsOf(tx, schoolClass, assignment)
    : []
  const isOpen = isOpenToWork(assignment.state) && !isReadOnly(schoolClass.state)
  const grants = attached.flatMap((attachment) => grantsFor(attachment, schoolClass, students, isOpen))
  await replaceAssignmentGrants(tx, { assignment: id }, grants, { newId, by, now: clock.now() })
}

/** Returns the holders of the students' grants: the whole class, or the assignees. */
async function studentsOf(
  tx: Transaction,
  schoolClass: ClassRow,
  { id, assignee_mode }: AssignmentAccessRow,
): Promise<AssignmentGrant['holder'][]> {
  if (assignee_mode === 'everyone') return [{ group: schoolClass.students_group_id }]
  const { students, groups } = await listAssignees(tx, [id])
  return [
    ...(students.get(id) ?? []).map(({ id: user }) => ({ user })),
    ...(groups.get(id) ?? []).map(({ id: group }) => ({ group })),
  ]
}

/**
 * Returns the grants for one attachment. Teachers have access before publication. Students can only read the
 * scores of an archived assignment.
 */
function grantsFor(
  { score_id: score, sharing_mode, teacher_only }: AttachmentRow,
  schoolClass: ClassRow,
  students: readonly AssignmentGrant['holder'][],
  isOpen: boolean,
): AssignmentGrant[] {
  if (score === null) return []
  const level = accessLevelOf(sharing_mode)
  const toTeachers = { score, holder: { group: schoolClass.teachers_group_id }, level }
  if (teacher_only) return [toTeachers]
  return [toTeachers, ...students.map((holder) => ({ score, holder, level: isOpen ? level : 1 }) as const)]
}
