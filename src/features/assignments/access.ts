import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import type { ClassRow } from '../classes/store.ts'
import { type AssignmentGrant, replaceAssignmentGrants } from '../scores/grants.ts'
import { levelOf } from './attachments.ts'
import { isOpenToWork } from './lifecycle.ts'
import { isOpenToClass } from './policy.ts'
import { type AttachmentRow, listAttachments, listOwnedWithin } from './attached.ts'
import { type AssignmentPlace, listAssignees } from './store.ts'

/**
 * Gives the people of a class the access to scores that an assignment needs as it stands now, and takes back what it does
 * not need any more. To be called after every change of an assignment, of what it names, or of whether it is seen.
 */
export async function settleAccess(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  klass: ClassRow,
  assignment: AssignmentPlace,
): Promise<void> {
  const { id, creator_id: by } = assignment
  const rows = (await listAttachments(tx, [id])).get(id) ?? []
  const scores = rows.flatMap(({ score_id }) => score_id ?? [])
  // What belongs to somebody outside is not the class's to open: who may read it does so by itself.
  const within = await listOwnedWithin(tx, scores, klass.organization_id)
  const attached = rows.filter(({ score_id }) => within.has(score_id))
  const students = isOpenToClass(assignment, klass, clock.now()) ? await studentsOf(tx, klass, assignment) : []
  const isOpen = isOpenToWork(assignment.state) && !isReadOnly(klass.state)
  const wanted = attached.flatMap((attachment) => grantsFor(attachment, klass, students, isOpen))
  await replaceAssignmentGrants(tx, { assignment: id }, wanted, { newId, by, now: clock.now() })
}

/** Who learns by it: the whole class, or those it names. */
async function studentsOf(
  tx: Transaction,
  klass: ClassRow,
  { id, assignee_mode }: AssignmentPlace,
): Promise<AssignmentGrant['holder'][]> {
  if (assignee_mode === 'everyone') return [{ group: klass.students_group_id }]
  const { students, groups } = await listAssignees(tx, [id])
  return [
    ...(students.get(id) ?? []).map(({ id: user }) => ({ user })),
    ...(groups.get(id) ?? []).map(({ id: group }) => ({ group })),
  ]
}

/** Teachers prepare with what they have attached; students only read what is archived. */
function grantsFor(
  { score_id: score, sharing_mode, teacher_only }: AttachmentRow,
  klass: ClassRow,
  students: readonly AssignmentGrant['holder'][],
  isOpen: boolean,
): AssignmentGrant[] {
  if (score === null) return []
  const level = levelOf(sharing_mode)
  const toTeachers = { score, holder: { group: klass.teachers_group_id }, level }
  if (teacher_only) return [toTeachers]
  return [toTeachers, ...students.map((holder) => ({ score, holder, level: isOpen ? level : 1 }) as const)]
}
