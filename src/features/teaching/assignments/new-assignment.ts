import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { Context } from '../../../context.ts'
import { emptyContent } from './content.ts'
import { insertAssignment } from './store.ts'

/** Inserts a draft without content for the whole class, or for a library if it has no class. */
export async function insertNewAssignment(
  ctx: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  properties: Parameters<typeof newAssignment>[1],
): Promise<AssignmentsTable> {
  const assignment = newAssignment(ctx, properties)
  await insertAssignment(tx, assignment)
  return assignment
}

function newAssignment(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  properties: { title: string; creator: string; class: string | null },
): AssignmentsTable {
  const now = clock.now()
  return {
    id: newId(),
    class_id: properties.class,
    creator_id: properties.creator,
    state: 'draft',
    ...emptyContent(properties.title),
    assignee_mode: 'everyone',
    published_at: null,
    scheduled_at: null,
    due_at: null,
    created_at: now,
    modified_at: now,
  }
}
