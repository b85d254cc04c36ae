import type { ScoreTracksTable } from '../../src/platform/db/score-tables.ts'
import { insertTrack } from '../../src/features/library/tracks/store.ts'
import { changeStoredBytes } from '../../src/features/people/storage/quota.ts'
import type { TestApp } from './app.ts'

/**
 * Inserts a track into a score, even one that no request could create. Returns its id. By default it is an
 * ordinary track of the owner.
 */
export async function newTrack(
  { ctx }: TestApp,
  score: string,
  overrides: Partial<ScoreTracksTable> = {},
): Promise<string> {
  const id = ctx.newId()
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const ownerQuery = tx.selectFrom('scores').select('owner_id').where('id', '=', score)
    const row: ScoreTracksTable = {
      id,
      score_id: score,
      creator_id: (await ownerQuery.executeTakeFirstOrThrow()).owner_id,
      title: null,
      type: 'audio',
      url: 'https://example.com/waltz.mp3',
      media_id: null,
      purpose: 'common',
      state: 'completed',
      is_default: 0,
      points: '[]',
      created_at: now,
      modified_at: now,
      ...overrides,
    }
    await insertTrack(tx, row)
    await changeStoredBytes(tx, row.creator_id, Buffer.byteLength(row.points))
  })
  return id
}
