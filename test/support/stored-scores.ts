import type { ScoresTable } from '../../src/platform/db/score-tables.ts'
import { addToCollection } from '../../src/features/library/scores/collection-scores.store.ts'
import { insertScore } from '../../src/features/library/scores/store.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'

const atATime = 1000

/**
 * Inserts many scores without music into a collection of their owner, faster than requests could. Several
 * scores share each sort key. Returns the ids of the scores.
 */
export async function storeScores(
  { ctx }: TestApp,
  owner: Person,
  collection: string,
  count: number,
  fields: Partial<ScoresTable> = {},
): Promise<string[]> {
  const now = ctx.clock.now()
  const scores = Array.from({ length: count }, (_, n) => ({
    ...storedScore(ctx.newId(), owner.id, `Piece ${n % 97}`),
    created_at: now + (n % 1009),
    modified_at: now + ((n * 7919) % 1013),
    ...fields,
  }))
  for (let from = 0; from < count; from += atATime) {
    const batch = scores.slice(from, from + atATime)
    await ctx.transaction(async (tx) => {
      await Promise.all(batch.map((score) => insertScore(tx, score)))
      await Promise.all(
        batch.map((score) =>
          addToCollection(tx, collection, score, { by: owner.id, key: null, now: score.modified_at }),
        ),
      )
    })
  }
  return scores.map(({ id }) => id)
}

/** Returns the row of a private score without music. */
export function storedScore(id: string, owner_id: string, title: string): ScoresTable {
  return {
    id,
    owner_id,
    title,
    title_key: sortKey(title),
    subtitle: null,
    composer: null,
    lyricist: null,
    arranger: null,
    description: null,
    tags: '[]',
    creation_type: null,
    license: null,
    license_text: null,
    privacy: 'private',
    sharing_key: null,
    parent_score_id: null,
    last_revision_id: id,
    pending_credits: null,
    instruments: '["keyboards.piano"]',
    duration: 0,
    measures: 1,
    tempo_qpm: null,
    key_fifths: null,
    views: 0,
    plays: 0,
    likes: 0,
    comments: 0,
    recent_counts: '',
    counts_due_at: null,
    grants: 0,
    stored_bytes: 0,
    search_key: '',
    created_at: 0,
    modified_at: 0,
    published_at: null,
    trashed: 0,
    deletion_at: null,
  }
}
