import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Context } from '../../operation.ts'
import { emptyContent } from './content.ts'
import { insertAssignment } from './store.ts'

/** Makes a draft that says nothing yet but its title, for everyone; without a class it is of a library. */
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
