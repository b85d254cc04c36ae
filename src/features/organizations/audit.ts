import type { Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { Context } from '../../operation.ts'

/** What is written down of what is done to accounts and rights. */
export type AuditedAction =
  | 'user.created'
  | 'user.updated'
  | 'user.role-changed'
  | 'user.password-changed'
  | 'user.removed'
  | 'user.restored'
  | 'user.converted-to-individual'
  | 'user.signin-link-created'
  | 'user.signed-in-by-link'
  | 'user.access-token-created'
  | 'invitation.created'
  | 'invitation.removed'
  | 'invitation.accepted'
  | 'roster.imported'

export interface AuditEvent {
  organization: string | null
  /** Who did it; null for the command line. */
  actor: string | null
  action: AuditedAction
  /** The account or thing that it was done to. */
  subject: string | null
  /** What else tells what was done: ids, roles and choices; no secret, no name and no address, since it is kept. */
  details?: Readonly<Record<string, unknown>>
}

const insertEvent = insertion('audit_events')

/** Writes down what was done, along with the doing of it. */
export async function audit(tx: Transaction, { newId, clock }: Pick<Context, 'newId' | 'clock'>, event: AuditEvent) {
  const { organization, actor, action, subject, details = {} } = event
  await insertEvent(tx, {
    id: newId(),
    organization_id: organization,
    actor_id: actor,
    action,
    subject_id: subject,
    details: JSON.stringify(details),
    created_at: clock.now(),
  })
}
