import type { GroupType } from '../../../contract/sharing.ts'
import type { ClassRole, OrganizationRole } from '../../../contract/users.ts'
import type { Departure, MemberEvent } from '../../../departure.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../people/audit/audit.ts'
import { deleteGroupMember, findOtherMember, insertGroupMember } from '../../people/groups/store.ts'
import { accountExport } from './account-export.ts'
import { placeMember } from './placements.ts'
import { classRoleOf } from './policy.ts'
import {
  type ClassGroup,
  type ClassRow,
  deleteClassMember,
  listClassGroupsOf,
  listTaught,
  loadGroupOf,
  updateOwner,
} from './store.ts'

export const classesDeparture: Departure = {
  feature: 'teaching/classes',
  exports: accountExport,
  onMemberLeft: { transfer: transferClasses },
  onRoleChanged: {
    async transfer(ctx, tx, change) {
      if (classRoleOf(change.role) === 'student') await transferClasses(ctx, tx, change)
    },
    async finish(ctx, tx, { user, role, leftGroups }) {
      const classRole = classRoleOf(role)
      for (const { id, class_id, placement } of leftGroups) {
        const group_id = await loadGroupOf(tx, class_id, groupTypes[classRole][0])
        const member = { group_id, user_id: user, created_at: ctx.clock.now() }
        // A subgroup has no placement.
        if (placement !== null) await placeMember(tx, classRole, { ...member, placement })
        await deleteGroupMember(tx, id, user)
      }
    },
  },
  onClassLeft: {
    async transfer(ctx, tx, { user, by, schoolClass }) {
      if (schoolClass.owner_id === user) await transferClass(ctx, tx, schoolClass, { user, by })
    },
    finish: (_ctx, tx, { user, schoolClass }) => deleteClassMember(tx, schoolClass.id, user),
  },
  erase: {
    async transfer(ctx, tx, { organization, ...erasure }) {
      if (organization !== null) await transferClasses(ctx, tx, { ...erasure, organization })
    },
  },
}

/** The types of groups that each role in a class belongs to. The first one is the automatic group. */
const groupTypes = {
  teacher: ['classTeachers'],
  student: ['classStudents', 'classStudentsSubGroup', 'assignmentStudentsSubGroup'],
} as const satisfies Record<ClassRole, readonly GroupType[]>

/** Lists the groups of classes that a member has to leave because of a new role in the organization. */
export function listGroupsToLeave(
  queries: Queries,
  user: string,
  role: OrganizationRole,
): Promise<ClassGroup[]> {
  return listClassGroupsOf(queries, user, groupTypes[classRoleOf(role) === 'teacher' ? 'student' : 'teacher'])
}

type Ctx = Pick<Context, 'clock' | 'newId' | 'jobs'>

/** Transfers the classes of a user to the teacher who has taught each class longest, or else to the successor. */
async function transferClasses(
  ctx: Ctx,
  tx: Transaction,
  { user, by, successor }: MemberEvent,
): Promise<void> {
  for (const { id, owner_id, organization_id, group_id } of await listTaught(tx, user)) {
    const teacher = (await findOtherMember(tx, group_id, user)) ?? (await successor())
    const member = { group_id, user_id: teacher, created_at: ctx.clock.now() }
    await insertGroupMember(tx, { ...member, placement: 'administrator' })
    if (owner_id === user)
      await changeOwner(ctx, tx, { id, organization_id }, { from: user, to: teacher, by })
  }
}

/** Transfers one class to the teacher who has taught it longest. Does nothing if the class has no other teacher. */
async function transferClass(
  ctx: Ctx,
  tx: Transaction,
  schoolClass: ClassRow,
  { user, by }: { user: string; by: string },
): Promise<void> {
  const teacher = await findOtherMember(tx, schoolClass.teachers_group_id, user)
  if (teacher) await changeOwner(ctx, tx, schoolClass, { from: user, to: teacher, by })
}

async function changeOwner(
  ctx: Ctx,
  tx: Transaction,
  schoolClass: { id: string; organization_id: string },
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<void> {
  await updateOwner(tx, schoolClass.id, to)
  const { organization_id: organization, id: subject } = schoolClass
  await audit(tx, ctx, {
    organization,
    actor: by,
    action: 'class.owner-changed',
    subject,
    details: { from, to },
  })
}
