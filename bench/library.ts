import { readConfig } from '../src/config.ts'
import { createContext } from '../src/create-context.ts'
import { insertNewScore } from '../src/features/library/collections/new-score.ts'
import { contentsOfBuilder } from '../src/features/library/scores/contents.ts'
import { loadUserId } from '../src/features/people/users/accounts.ts'

const together = 500

/**
 * Fills the app collection of an account with empty piano scores while the server runs. Prints the progress.
 * @param username of the account
 * @param count the number of scores
 */
export async function fillLibrary(
  storage: { dataDir: string; databaseUrl: string },
  username: string,
  count: number,
): Promise<void> {
  const ctx = await createContext(readConfig({ ...storage, logLevel: 'silent' }, {}))
  try {
    const owner = { id: await loadUserId(ctx.db.read, username), app: undefined }
    const scoreData = { instruments: [{ group: 'keyboards', instrument: 'piano' }] }
    const contents = await contentsOfBuilder(ctx, { scoreData }, 'Kept')
    for (let created = 0; created < count; created += together) {
      const batch = Array.from({ length: Math.min(together, count - created) }, (_, index) => created + index)
      await Promise.all(
        batch.map((number) =>
          ctx.transaction((tx) =>
            insertNewScore(ctx, tx, owner, contents, {
              title: `Kept ${number}`,
              privacy: 'private',
              collection: undefined,
            }),
          ),
        ),
      )
      process.stderr.write(`\r${Math.min(count, created + together)} of ${count} scores`)
    }
    process.stderr.write('\n')
  } finally {
    await ctx.close()
  }
}
