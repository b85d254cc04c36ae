import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'

const versionOf = compiled((db, p: Params<{ user: string }>) =>
  db.selectFrom('calendar_feeds').where('user_id', '=', p('user')).select('version'),
)

/** Returns the version of the address of a user's calendar, or undefined if it is off. */
export async function findFeedVersion(queries: Queries, user: string): Promise<string | undefined> {
  const [feed] = await versionOf(queries, { user })
  return feed?.version
}

/** Stores a new version of the address of a user's calendar. The old address, if there was one, is invalid. */
export async function saveFeed(tx: Transaction, user: string, version: string, now: number): Promise<void> {
  const change = { version, created_at: now }
  await tx
    .insertInto('calendar_feeds')
    .values({ user_id: user, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

export async function deleteFeed(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('user_id', '=', user).execute()
}
