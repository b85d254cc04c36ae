import type { GroupType } from '../../contract/sharing.ts'
import type { ClassRole, OrganizationRole } from '../../contract/users.ts'
import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { deleteGroupMember, findOtherMember, insertGroupMember } from '../groups/store.ts'
import { classRoleOf } from './policy.ts'
import { listPlaces, listTaught, loadGroupOf, updateOwner } from './store.ts'

/** The groups of a class that those are in who are this in it, the automatic one first. */
const placesOf = {
  teacher: ['classTeachers'],
  student: ['classStudents', 'classStudentsSubGroup', 'assignmentStudentsSubGroup'],
} as const satisfies Record<ClassRole, readonly GroupType[]>

type Moving = Pick<Context, 'clock' | 'newId'>

/** Whose place changes, and by whom; null for the command line and the server. */
interface Mover {
  user: string
  by: string | null
}

/**
 * Puts somebody whose role in the organization has changed where such people are in their classes, and passes on the
 * classes that a student does not own any more.
 * @param heir who gets those that nobody else teaches
 * @returns the groups that they are in no more
 */
export async function followRole(
  ctx: Moving,
  tx: Transaction,
  { user, by }: Mover,
  role: OrganizationRole,
  heir: () => Promise<string>,
): Promise<string[]> {
  const to = classRoleOf(role)
  const from = to === 'teacher' ? 'student' : 'teacher'
  const left = await listPlaces(tx, user, placesOf[from])
  if (to === 'student') await passClassesOn(ctx, tx, { user, by }, heir)
  for (const { id, class_id } of left) {
    const group_id = await loadGroupOf(tx, class_id, placesOf[to][0])
    await insertGroupMember(tx, { group_id, user_id: user, created_at: ctx.clock.now() })
    await deleteGroupMember(tx, id, user)
  }
  return left.map(({ id }) => id)
}

/**
 * Gives the classes that somebody owns or teaches to who else teaches there, the longest first.
 * @param heir who gets those that nobody else teaches, and teaches them from now on
 */
export async function passClassesOn(
  ctx: Moving,
  tx: Transaction,
  { user, by }: Mover,
  heir: () => Promise<string>,
): Promise<void> {
  for (const { id, owner_id, organization_id, group_id } of await listTaught(tx, user)) {
    const teacher = (await findOtherMember(tx, group_id, user)) ?? (await heir())
    await insertGroupMember(tx, { group_id, user_id: teacher, created_at: ctx.clock.now() })
    if (owner_id === user) await changeOwner(ctx, tx, { id, organization_id }, { from: user, to: teacher, by })
  }
}

/** The same, of one class that others teach as well. */
export async function passClassOn(ctx: Moving, tx: Transaction, klass: string, { user, by }: Mover): Promise<void> {
  const taught = (await listTaught(tx, user)).find(({ id }) => id === klass)
  const teacher = taught && (await findOtherMember(tx, taught.group_id, user))
  if (teacher) await changeOwner(ctx, tx, taught, { from: user, to: teacher, by })
}

async function changeOwner(
  ctx: Moving,
  tx: Transaction,
  klass: { id: string; organization_id: string },
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<void> {
  await updateOwner(tx, klass.id, to)
  const { organization_id: organization, id: subject } = klass
  await audit(tx, ctx, { organization, actor: by, action: 'class.owner-changed', subject, details: { from, to } })
}
