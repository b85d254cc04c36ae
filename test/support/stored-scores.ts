import type { ScorePrivacy } from '../../src/contract/scores.ts'
import { insertNewScore } from '../../src/features/library/collections/new-score.ts'
import { contentsOfBuilder, storingContents } from '../../src/features/library/scores/contents.ts'
import type { ScoresTable } from '../../src/platform/db/score-tables.ts'
import { insertCollectionScore } from '../../src/features/library/scores/collection-scores.store.ts'
import { composerKey } from '../../src/features/library/scores/composer-key.ts'
import { insertScore } from '../../src/features/library/scores/store.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'
import { emptyPiano } from './scores.ts'

/** Creates an empty piano score of a user in the collection of no app, as `createScore` does, without a request. */
export async function storeScore({ ctx }: TestApp, owner: Person, privacy: ScorePrivacy): Promise<string> {
  const { title, builderData } = emptyPiano()
  const contents = await contentsOfBuilder(ctx, builderData, title)
  const caller = { id: owner.id, app: undefined }
  const { score } = await storingContents(ctx, contents, () =>
    ctx.transaction((tx) =>
      insertNewScore(ctx, tx, caller, contents, { title, privacy, collection: undefined }),
    ),
  )
  return score
}

const atATime = 250

/**
 * Inserts many scores without music into a collection of their owner, faster than requests could. Several
 * scores share each sort key. The modification date of the collection stays as it is, because PostgreSQL takes longer for
 * each further update of a row in the same transaction. Returns the ids of the scores.
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
    duration: ((n * 31) % 499) / 7,
    ...fields,
  }))
  for (let from = 0; from < count; from += atATime) {
    const batch = scores.slice(from, from + atATime)
    await ctx.transaction(async (tx) => {
      await Promise.all(batch.map((score) => insertScore(tx, score)))
      await Promise.all(
        batch.map(({ id, title_key, composer_key, duration, created_at, modified_at }) =>
          insertCollectionScore(tx, {
            collection_id: collection,
            score_id: id,
            trashed: 0,
            title_key,
            composer_key,
            duration,
            created_at,
            modified_at,
            added_by: owner.id,
            sharing_key: null,
          }),
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
    composer_key: composerKey(null, sortKey(title)),
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
    comment_changes: 0,
    sharing_changes: 0,
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
