import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { endActing } from '../sessions/ending.ts'
import { audit } from '../audit/audit.ts'
import { canManageRole, type Member, rankOf } from './policy.ts'
import { hasMemberOfRole, listAdministrators, updateRole } from './store.ts'

/** Somebody of the organization, and what that person is there. */
export interface WithRole {
  id: string
  organization_role: OrganizationRole | null
  is_test_student: 0 | 1
}

/**
 * Makes somebody of the actor's organization something else there. Nobody acts as that person any more, nor that person as
 * somebody else, by what was made before: the roles decide who may.
 * @throws ROLE_OUT_OF_REACH, LAST_ADMINISTRATOR
 */
export async function changeRole(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  user: WithRole,
  role: OrganizationRole,
  details?: FailureDetails,
): Promise<void> {
  const from = user.organization_role ?? 'user'
  if (!canManageRole(actor, from) || !canManageRole(actor, role)) fail('ROLE_OUT_OF_REACH', details)
  await giveRole(ctx, tx, { organization: actor.organization, by: actor.id }, user, role)
}

/**
 * The same, on the word of who may do it in any case.
 * @param by who does it; null for the command line
 * @throws LAST_ADMINISTRATOR; INVALID_PARAMETER for a test student, who stays a student
 */
export async function giveRole(
  ctx: Context,
  tx: Transaction,
  { organization, by }: { organization: string; by: string | null },
  user: WithRole,
  role: OrganizationRole,
): Promise<void> {
  const from = user.organization_role ?? 'user'
  if (from === role) return
  if (user.is_test_student === 1) {
    const param = 'organizationRole'
    fail('INVALID_PARAMETER', { param, message: `\`${param}\` of a test student is \`user\`.` })
  }
  if (rankOf(role) < rankOf(from)) await checkIsNotLastAdministrator(tx, organization, user)
  await updateRole(tx, user.id, role)
  await endActing(tx, user.id)
  const details = { from, to: role }
  await audit(tx, ctx, { organization, actor: by, action: 'user.role-changed', subject: user.id, details })
}

/**
 * The last accountAdmin of an organization stays one, and where there is none the last admin.
 * @throws LAST_ADMINISTRATOR
 */
export async function checkIsNotLastAdministrator(
  queries: Queries,
  organization: string,
  { id, organization_role: role }: WithRole,
): Promise<void> {
  if (role !== 'admin' && role !== 'accountAdmin') return
  const standIns = role === 'admin' ? (['admin', 'accountAdmin'] as const) : (['accountAdmin'] as const)
  if (!(await hasMemberOfRole(queries, organization, standIns, { but: id }))) fail('LAST_ADMINISTRATOR')
}

/**
 * Who takes over what somebody leaves behind: who removed that person, while that is another administrator, or the
 * first of those.
 */
export async function findHeir(
  queries: Queries,
  organization: string,
  { of, by }: { of: string; by: string | null },
): Promise<string> {
  const administrators = await listAdministrators(queries, organization, { but: of })
  const heir = administrators.find(({ id }) => id === by) ?? administrators[0]
  if (!heir) throw new Error(`Organization ${organization} has nobody who could take over from ${of}`)
  return heir.id
}
