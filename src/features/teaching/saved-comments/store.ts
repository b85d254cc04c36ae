import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { SavedCommentsTable } from '../../../platform/db/school-tables.ts'

const newestFirst = compiled((db, p: Params<{ user: string }>) =>
  db.selectFrom('saved_comments').where('user_id', '=', p('user')).orderBy('id', 'desc').selectAll(),
)

/** Returns all saved comments of a user, newest first. */
export const listSaved = (queries: Queries, user: string): Promise<SavedCommentsTable[]> =>
  newestFirst(queries, { user })

export const insertSaved = insertion('saved_comments')

/** Deletes one saved comment of a user. Returns whether it existed. */
export async function deleteSaved(tx: Transaction, of: { user: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_comments')
    .where('user_id', '=', of.user)
    .where('id', '=', of.id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all saved comments of a user. */
export async function deleteAllSaved(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('saved_comments').where('user_id', '=', user).execute()
}
