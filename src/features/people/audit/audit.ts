import type { Transaction } from '../../../platform/db/database.ts'
import type { AuditedAction } from '../../../contract/audited-actions.ts'
import { isOrganizationEvent } from '../../../contract/event-types.ts'
import type { Context } from '../../../context.ts'
import { type EventObjects, recordEvent } from '../events/events.ts'
import { findOrganizationOf, findPasswordOrigin, insertEvent } from './store.ts'

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
 * Records an action in the transaction that performs it. An action that programs may learn of becomes an event of the organization
 * as well. The event is marked if another person may have been the actor, because
 * that person knows the password or knew the one before it.
 */
export async function audit(
  tx: Transaction,
  ctx: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  event: AuditEvent,
): Promise<void> {
  const { organization, actor, action, subject, details = {} } = event
  const isLookedUp = organization !== null && typeof organization === 'object'
  const passwordOrigin = actor === null ? 'own' : await findPasswordOrigin(tx, actor)
  const organization_id = isLookedUp ? await findOrganizationOf(tx, organization.of) : organization
  await insertEvent(tx, {
    id: ctx.newId(),
    organization_id,
    actor_id: actor,
    action,
    subject_id: subject,
    details: JSON.stringify(
      passwordOrigin === 'own' ? details : { ...details, actorPasswordOrigin: passwordOrigin },
    ),
    created_at: ctx.clock.now(),
  })
  if (organization_id !== null && isOrganizationEvent(action))
    await recordEvent(ctx, tx, {
      organization: organization_id,
      type: action,
      actor,
      objects: objectsOf(event),
    })
}

/** Returns the objects that the event of an action is about. */
function objectsOf({ action, subject, details: { class: schoolClass } = {} }: AuditEvent): EventObjects {
  const id = subject ?? undefined
  if (action === 'class.owner-changed') return { ...(id && { class: id }) }
  return {
    ...(typeof schoolClass === 'string' && { class: schoolClass }),
    ...(action !== 'roster.imported' && id && { user: id }),
  }
}

/** Records what a user did to the own account. */
export const auditOwn = (
  tx: Transaction,
  ctx: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  user: string,
  event: Pick<AuditEvent, 'action' | 'details'>,
): Promise<void> => audit(tx, ctx, { organization: { of: user }, actor: user, subject: user, ...event })
