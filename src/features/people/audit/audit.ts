import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { findOrganizationOf, findPasswordOrigin, insertEvent } from './store.ts'

/**
 * The actions on accounts and permissions that the audit log records, in alphabetical order.
 * docs/audit-log.md describes each.
 */
export const auditedActions = [
  'app.authorization-revoked',
  'app.authorized',
  'app.deleted',
  'app.registered',
  'app.token-reused',
  'class.member-added',
  'class.member-removed',
  'class.owner-changed',
  'invitation.accepted',
  'invitation.created',
  'invitation.removed',
  'organization.created',
  'organization.updated',
  'provider.added',
  'provider.changed',
  'provider.removed',
  'roster.imported',
  'user.access-token-created',
  'user.access-token-revoked',
  'user.converted-to-individual',
  'user.created',
  'user.deleted',
  'user.email-verified',
  'user.exported',
  'user.linked-to-provider',
  'user.passkey-added',
  'user.passkey-refused',
  'user.passkey-removed',
  'user.password-changed',
  'user.password-reset-requested',
  'user.recovery-code-used',
  'user.recovery-codes-made',
  'user.removed',
  'user.restored',
  'user.role-changed',
  'user.second-factor-added',
  'user.second-factor-removed',
  'user.sessions-ended',
  'user.sign-in-failed',
  'user.signed-in',
  'user.signed-in-by-link',
  'user.signed-in-by-provider',
  'user.signed-out',
  'user.signin-link-created',
  'user.unlinked-from-providers',
  'user.updated',
] as const

export type AuditedAction = (typeof auditedActions)[number]

export interface AuditEvent {
  /**
   * The organization whose log records the event. Null for an individual account. `{ of }` means the
   * organization of that account.
   */
  organization: string | null | { of: string }
  /** The account that did it. Null for the command line, for the server itself and for an unknown caller. */
  actor: string | null
  action: AuditedAction
  /** The account or object that the action changed. */
  subject: string | null
  /**
   * More facts about the action: ids, roles and options. Secrets, names and addresses are not allowed,
   * because the log is stored.
   */
  details?: Readonly<Record<string, unknown>>
}

/**
 * Records an action in the transaction that performs it. The event is marked if another person may have been the actor, because
 * that person knows the password or knew the one before it.
 */
export async function audit(
  tx: Transaction,
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  event: AuditEvent,
): Promise<void> {
  const { organization, actor, action, subject, details = {} } = event
  const isLookedUp = organization !== null && typeof organization === 'object'
  const passwordOrigin = actor === null ? 'own' : await findPasswordOrigin(tx, actor)
  await insertEvent(tx, {
    id: newId(),
    organization_id: isLookedUp ? await findOrganizationOf(tx, organization.of) : organization,
    actor_id: actor,
    action,
    subject_id: subject,
    details: JSON.stringify(
      passwordOrigin === 'own' ? details : { ...details, actorPasswordOrigin: passwordOrigin },
    ),
    created_at: clock.now(),
  })
}

/** Records what a user did to the own account. */
export const auditOwn = (
  tx: Transaction,
  ctx: Pick<Context, 'newId' | 'clock'>,
  user: string,
  event: Pick<AuditEvent, 'action' | 'details'>,
): Promise<void> => audit(tx, ctx, { organization: { of: user }, actor: user, subject: user, ...event })
