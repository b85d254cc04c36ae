import type { ScorePrivacy } from '../../contract/scores.ts'
import type { Transaction } from '../../db/database.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Context } from '../../operation.ts'
import { type Contents, insertContents } from '../scores/contents.ts'
import { checkPrivacy } from '../scores/policy.ts'
import { newSharingKey } from '../scores/sharing-key.ts'
import { insertCollectionScore, insertScore } from '../scores/store.ts'
import { type Placing, placeNewScore } from './policy.ts'

export interface NewScore {
  title: string
  privacy: ScorePrivacy
  /** Where to put it, as the caller said. */
  collection: string | undefined
}

/** Where the new score and its first revision are. */
export interface Inserted {
  score: string
  revision: { id: string; created_at: number }
}

/**
 * Writes a score, its first revision and its place.
 * @throws PUBLIC_SCORES_DISABLED, and as `placeNewScore` does
 */
export async function insertNewScore(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  contents: Contents,
  { title, privacy, collection }: NewScore,
): Promise<Inserted> {
  const { facts, columns } = contents
  const sharingKey = privacy === 'privateLink' ? newSharingKey() : null
  const titleKey = sortKey(title)
  await checkPrivacy(tx, owner.id, privacy)
  const now = ctx.clock.now()
  const score = ctx.newId()
  const revision = ctx.newId()
  // Sent one behind another without a wait for each, in this order: the database is not always near.
  const written = insertScore(tx, {
    id: score,
    owner_id: owner.id,
    title,
    title_key: titleKey,
    subtitle: facts.subtitle ?? null,
    composer: facts.composer ?? null,
    lyricist: facts.lyricist ?? null,
    arranger: facts.arranger ?? null,
    description: null,
    tags: '[]',
    creation_type: null,
    license: null,
    license_text: null,
    privacy,
    sharing_key: sharingKey,
    parent_score_id: null,
    last_revision_id: revision,
    ...columns,
    views: 0,
    created_at: now,
    modified_at: now,
    published_at: privacy === 'public' ? now : null,
    trashed: 0,
    deletion_at: null,
  })
  const [place] = await Promise.all([
    placeNewScore(ctx, tx, owner, collection),
    written,
    insertContents(ctx, tx, contents, { id: revision, score, user: owner.id, now }),
  ])
  if (place) {
    await insertCollectionScore(tx, {
      collection_id: place,
      score_id: score,
      trashed: 0,
      title_key: titleKey,
      created_at: now,
      modified_at: now,
    })
  }
  return { score, revision: { id: revision, created_at: now } }
}
