import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { findOrganizationOf, insertEvent } from './store.ts'

/** What is written down of what is done to accounts and rights; in alphabetical order. docs/audit-log.md says what each is. */
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
  /** In whose log it stands: none for individual accounts; `of` means that of this account. */
  organization: string | null | { of: string }
  /** The account that did it; null for the command line, the server by itself, and who nobody knows. */
  actor: string | null
  action: AuditedAction
  /** The account or thing that it was done to. */
  subject: string | null
  /** What else tells what was done: ids, roles and choices; no secret, no name and no address, since it is kept. */
  details?: Readonly<Record<string, unknown>>
}

/** Writes down what was done, along with the doing of it. */
export async function audit(tx: Transaction, { newId, clock }: Pick<Context, 'newId' | 'clock'>, event: AuditEvent) {
  const { organization, actor, action, subject, details = {} } = event
  const isToFind = organization !== null && typeof organization === 'object'
  await insertEvent(tx, {
    id: newId(),
    organization_id: isToFind ? await findOrganizationOf(tx, organization.of) : organization,
    actor_id: actor,
    action,
    subject_id: subject,
    details: JSON.stringify(details),
    created_at: clock.now(),
  })
}
