import type { Context } from '../../../context.ts'
import type { OrganizationEventType } from '../../../contract/event-types.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { recordEvent } from '../../people/events/events.ts'
import type { ClassRow } from '../classes/store.ts'
import { isPublished, type Publication } from './lifecycle.ts'

type AssignmentEventType = Extract<OrganizationEventType, `assignment.${string}`>

/** Records an event of an assignment of a class. */
export const recordAssignmentEvent = (
  ctx: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  tx: Transaction,
  { id: schoolClass, organization_id: organization }: Pick<ClassRow, 'id' | 'organization_id'>,
  event: { assignment: string; type: AssignmentEventType; actor: string | null },
): Promise<void> => {
  const { assignment, type, actor } = event
  return recordEvent(ctx, tx, { organization, type, actor, objects: { class: schoolClass, assignment } })
}

/** Records what a change means for those who can see the assignment. Nobody learns of a draft. */
export async function recordChange(
  ctx: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  tx: Transaction,
  schoolClass: Pick<ClassRow, 'id' | 'organization_id'>,
  { before, after, actor }: { before: Publication; after: Publication & { id: string }; actor: string },
): Promise<void> {
  const now = ctx.clock.now()
  if (!isPublished(after, now)) return
  const type = isPublished(before, now) ? 'assignment.updated' : 'assignment.published'
  await recordAssignmentEvent(ctx, tx, schoolClass, { assignment: after.id, type, actor })
}
