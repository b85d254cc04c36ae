import type { Transaction } from '../../db/database.ts'
import { updateMakerOf } from '../assignments/store.ts'
import { passScoreOn } from '../scores/store.ts'
import { deleteResources, type Giver, listAttachedBy, listLibraryOf, listMadeBy, updateMaker } from './store.ts'

/**
 * Gives what somebody has put into the library of an organization to another one, with those of the scores that this person
 * has attached there and that are this person's: the library keeps what it has. What others have attached was not this
 * person’s to give.
 */
export async function passResourcesOn(tx: Transaction, by: Giver, heir: () => Promise<string>): Promise<void> {
  const made = await listMadeBy(tx, by)
  const attached = await listAttachedBy(tx, by)
  if (made.length === 0 && attached.length === 0) return
  const to = await heir()
  const own = attached.flatMap(({ score_id, owner_id }) => (owner_id === by.user && score_id !== null ? score_id : []))
  for (const score of new Set(own)) await passScoreOn(tx, score, { from: by.user, to })
  const assignments = [...made, ...attached].flatMap(({ assignment_id }) => assignment_id ?? [])
  await updateMakerOf(tx, [...new Set(assignments)], { from: by.user, to })
  await updateMaker(
    tx,
    made.map(({ id }) => id),
    to,
  )
}

/** Deletes somebody's own library. */
export async function deleteLibraryOf(tx: Transaction, user: string): Promise<void> {
  await deleteResources(tx, await listLibraryOf(tx, user))
}
