import type { OrganizationRole } from '../../../contract/users.ts'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { once } from '../../../lib/once.ts'
import { listGroupsToLeave } from '../../teaching/classes/departure.ts'
import { audit } from '../audit/audit.ts'
import { findSuccessor, setMemberRole, type WithRole } from '../organizations/roles.ts'
import { findUser, updateRemoval } from '../users/store.ts'
import { runSteps } from './registry.ts'

/** A member of an organization, and the user who does something to the member. Null is the command line or a job. */
interface Change {
  organization: string
  by: string | null
}

/**
 * Removes an account: it cannot be used any more, and is deleted later.
 * @param deletionAt when the account is deleted, in milliseconds since 1970
 */
export async function removeMember(
  ctx: Context,
  tx: Transaction,
  { organization, by }: Change,
  { user, deletionAt }: { user: string; deletionAt: number },
): Promise<void> {
  await updateRemoval(tx, user, { deletion_at: deletionAt, removed_by: by })
  await runSteps('onMemberRemoved', ctx, tx, { user })
  await audit(tx, ctx, { organization, actor: by, action: 'user.removed', subject: user })
}

/**
 * Turns a member into an individual account, which keeps its scores. The member's part in the organization ends, and nothing
 * becomes visible outside of the organization that was not visible before.
 */
export async function convertToIndividual(
  ctx: Context,
  tx: Transaction,
  { organization, by }: Change,
  { id: user, username }: { id: string; username: string },
): Promise<void> {
  const successor = once(() => findSuccessor(tx, organization, { of: user, by }))
  await runSteps('onMemberLeft', ctx, tx, { user, organization, by, successor })
  const isRenamed = (await findUser(tx, { id: user }))?.username !== username
  await audit(tx, ctx, {
    organization,
    actor: by,
    action: 'user.converted-to-individual',
    subject: user,
    details: isRenamed ? { fields: ['username'] } : {},
  })
}

/**
 * Gives a member another role. Does nothing if the member has it already.
 * @throws LAST_ADMINISTRATOR; INVALID_PARAMETER for a test student, who stays a student
 */
export async function changeRole(
  ctx: Context,
  tx: Transaction,
  { organization, by }: Change,
  member: WithRole,
  role: OrganizationRole,
): Promise<void> {
  if (member.organization_role === role) return
  await setMemberRole(ctx, tx, { organization, by }, member, role)
  const user = member.id
  const successor = once(() => findSuccessor(tx, organization, { of: user, by }))
  const leftGroups = await listGroupsToLeave(tx, user, role)
  await runSteps('onRoleChanged', ctx, tx, { user, organization, by, successor, role, leftGroups })
}
