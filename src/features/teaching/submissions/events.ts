import type { Context } from '../../../context.ts'
import type { OrganizationEventType } from '../../../contract/event-types.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { recordEvent } from '../../people/events/events.ts'
import type { ClassRow } from '../classes/store.ts'
import type { EventType } from './lifecycle.ts'
import type { SubmissionRow } from './store.ts'

/** What programs learn of. Students see no drafts of grades, and what they edit before they submit is their own. */
const eventOf: Partial<Record<EventType, OrganizationEventType>> = {
  start: 'submission.created',
  submit: 'submission.submitted',
  reclaim: 'submission.reclaimed',
  grade: 'submission.graded',
  return: 'submission.returned',
  reset: 'submission.reset',
}

/** Records the events of a submission, in their order. */
export async function recordSubmissionEvents(
  ctx: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  tx: Transaction,
  { organization_id: organization }: Pick<ClassRow, 'organization_id'>,
  { id, class_id, assignment_id }: Pick<SubmissionRow, 'id' | 'class_id' | 'assignment_id'>,
  { events, actor }: { events: readonly { type: EventType }[]; actor: string },
): Promise<void> {
  const objects = { class: class_id, assignment: assignment_id, submission: id }
  const types = events.flatMap((event) => eventOf[event.type] ?? [])
  await Promise.all(types.map((type) => recordEvent(ctx, tx, { organization, type, actor, objects })))
}
