import type { OrganizationRole } from '../../../contract/users.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../audit/audit.ts'
import { canManageRole, type Member, rankOf } from './policy.ts'
import { hasMemberOfRole, listAdministrators, updateRole } from './store.ts'

/** A member of the organization, with the present role. */
export interface WithRole {
  id: string
  organization_role: OrganizationRole | null
  is_test_student: 0 | 1
}

/** @throws ROLE_OUT_OF_REACH if the actor may not manage the member's present role or the new role */
export function checkCanChangeRole(
  actor: Member,
  user: WithRole,
  role: OrganizationRole,
  details?: FailureDetails,
): void {
  const from = user.organization_role ?? 'user'
  if (!canManageRole(actor, from) || !canManageRole(actor, role)) fail('ROLE_OUT_OF_REACH', details)
}

/**
 * Writes another role of a member. `changeRole` of people/departures also updates what depends on the role.
 * @param by the user who changes the role, null for the command line
 * @throws LAST_ADMINISTRATOR; INVALID_PARAMETER for a test student, who stays a student
 */
export async function setMemberRole(
  ctx: Context,
  tx: Transaction,
  { organization, by }: { organization: string; by: string | null },
  user: WithRole,
  role: OrganizationRole,
): Promise<void> {
  const from = user.organization_role ?? 'user'
  if (user.is_test_student === 1) {
    const param = 'organizationRole'
    fail('INVALID_PARAMETER', { param, message: `\`${param}\` of a test student must be \`user\`.` })
  }
  if (rankOf(role) < rankOf(from)) await checkIsNotLastAdministrator(tx, organization, user)
  await updateRole(tx, user.id, role)
  const details = { from, to: role }
  await audit(tx, ctx, { organization, actor: by, action: 'user.role-changed', subject: user.id, details })
}

/**
 * An organization keeps its last accountAdmin, or its last admin if it has no accountAdmin.
 * @throws LAST_ADMINISTRATOR
 */
export async function checkIsNotLastAdministrator(
  queries: Queries,
  organization: string,
  { id, organization_role: role }: WithRole,
): Promise<void> {
  if (role !== 'admin' && role !== 'accountAdmin') return
  const sufficientRoles =
    role === 'admin' ? (['admin', 'accountAdmin'] as const) : (['accountAdmin'] as const)
  if (!(await hasMemberOfRole(queries, organization, sufficientRoles, { except: id })))
    fail('LAST_ADMINISTRATOR')
}

/**
 * Finds the administrator who takes over from a member: `by`, if that is another administrator, or else the
 * first one.
 */
export async function findSuccessor(
  queries: Queries,
  organization: string,
  { of, by }: { of: string; by: string | null },
): Promise<string> {
  const administrators = await listAdministrators(queries, organization, { except: of })
  const successor = administrators.find(({ id }) => id === by) ?? administrators[0]
  if (!successor)
    throw new Error(`Organization ${organization} has no administrator who could take over from ${of}`)
  return successor.id
}
