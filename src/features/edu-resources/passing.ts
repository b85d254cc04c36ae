import type { Transaction } from '../../db/database.ts'
import { deleteResources, listLibraryOf, passCreatedOn, passScoresOn } from './store.ts'

/**
 * Gives what somebody has put into the library of an organization to another one, with the scores that are attached to it:
 * the library keeps what it has.
 */
export async function passResourcesOn(
  tx: Transaction,
  by: { user: string; organization: string },
  heir: () => Promise<string>,
): Promise<void> {
  const held = await tx
    .selectFrom('edu_resources')
    .where('organization_id', '=', by.organization)
    .where('creator_id', '=', by.user)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!held) return
  const to = await heir()
  await passScoresOn(tx, by, to)
  await passCreatedOn(tx, by, to)
}

/** Deletes somebody's own library. */
export async function deleteLibraryOf(tx: Transaction, user: string): Promise<void> {
  await deleteResources(tx, await listLibraryOf(tx, user))
}
