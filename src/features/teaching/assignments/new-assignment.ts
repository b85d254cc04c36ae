import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { Context } from '../../../context.ts'
import { emptyContent } from './content.ts'
import { insertAssignment } from './store.ts'

/** Inserts a draft without content for the whole class, or for a library if it has no class. */
export async function insertNewAssignment(
  ctx: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  about: Parameters<typeof newAssignment>[1],
): Promise<AssignmentsTable> {
  const assignment = newAssignment(ctx, about)
  await insertAssignment(tx, assignment)
  return assignment
}

function newAssignment(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  about: { title: string; creator: string; class: string | null },
): AssignmentsTable {
  const now = clock.now()
  return {
    id: newId(),
    class_id: about.class,
    creator_id: about.creator,
    state: 'draft',
    ...emptyContent(about.title),
    assignee_mode: 'everyone',
    published_at: null,
    scheduled_at: null,
    due_at: null,
    created_at: now,
    modified_at: now,
  }
}
