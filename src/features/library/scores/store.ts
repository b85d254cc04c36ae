import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoresTable } from '../../../platform/db/score-tables.ts'
import { changeStoredBytes, releaseStoredBytes } from '../../people/storage/quota.ts'
import type { UserFacts } from '../../people/users/present.ts'
import type { ListViewer } from './access.store.ts'
import type { Context } from '../../../context.ts'
import { deleteExportsOf } from './export-cache.store.ts'
import { collectionsOf, deleteFromCollectionsOf, updateSortKeys } from './collection-scores.store.ts'

type DeletionContext = Pick<Context, 'blobs' | 'clock'>

/** A score, with the ids of the viewer's collections that contain it, separated by commas. */
export type ScoreRow = Pick<ScoresTable, ColumnName> & { collections: string | null }

/** A score with the credits that its document lacks. */
export type StoredScore = ScoreRow & Pick<ScoresTable, 'pending_credits'>

type ColumnName = (typeof scoreColumns)[number] extends `scores.${infer Name}`
  ? Name & keyof ScoresTable
  : never

/** The owner of a score, and whether the owner's organization allows public scores. */
export type OwnerRow = UserFacts & { allows_public_scores: 0 | 1 | null }

/** The columns that every response with a score needs. */
export const scoreColumns = [
  'scores.id',
  'scores.owner_id',
  'scores.title',
  'scores.title_key',
  'scores.composer_key',
  'scores.subtitle',
  'scores.composer',
  'scores.lyricist',
  'scores.arranger',
  'scores.description',
  'scores.tags',
  'scores.creation_type',
  'scores.license',
  'scores.license_text',
  'scores.privacy',
  'scores.sharing_key',
  'scores.parent_score_id',
  'scores.last_revision_id',
  'scores.instruments',
  'scores.duration',
  'scores.measures',
  'scores.tempo_qpm',
  'scores.key_fifths',
  'scores.views',
  'scores.plays',
  'scores.likes',
  'scores.comments',
  'scores.recent_counts',
  'scores.grants',
  'scores.created_at',
  'scores.modified_at',
  'scores.published_at',
  'scores.trashed',
  'scores.deletion_at',
] as const

const scoreById = compiled((db, p: Params<{ id: string } & ListViewer>) =>
  db
    .selectFrom('scores')
    .innerJoin('users as owner', 'owner.id', 'scores.owner_id')
    .leftJoin('organizations as owner_organization', 'owner_organization.id', 'owner.organization_id')
    .where('scores.id', '=', p('id'))
    .where('owner.deletion_at', 'is', null)
    .select(scoreColumns)
    .select('scores.pending_credits')
    .select((eb) =>
      collectionsOf(eb, { viewer: p('viewer'), organization: p('organization') }).as('collections'),
    )
    .select([
      'owner.username',
      'owner.firstname',
      'owner.lastname',
      'owner.organization_id',
      'owner.organization_role',
      'owner.picture_id',
      'owner.created_at as owner_created_at',
      'owner_organization.allows_public_scores',
    ]),
)

/**
 * Finds a score and its owner in one query. Returns undefined if the score does not exist or its owner was
 * removed.
 */
export async function findScore(
  queries: Queries,
  by: { id: string } & ListViewer,
): Promise<{ score: StoredScore; owner: OwnerRow } | undefined> {
  const [row] = await scoreById(queries, by)
  if (!row) return undefined
  return { score: row, owner: ownerIn(row, row.owner_id) }
}

/** Returns the owner from a row that was joined with the owner's columns. */
export function ownerIn(
  row: Omit<OwnerRow, 'id' | 'created_at'> & { readonly owner_created_at: OwnerRow['created_at'] },
  id: string,
): OwnerRow {
  const { username, firstname, lastname, organization_id, organization_role } = row
  const { picture_id, owner_created_at: created_at, allows_public_scores } = row
  return {
    id,
    username,
    firstname,
    lastname,
    organization_id,
    organization_role,
    picture_id,
    created_at,
    allows_public_scores,
  }
}

const ownersById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db
    .selectFrom('users')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where(p.isIn('users.id', 'ids'))
    .select([
      'users.id',
      'users.username',
      'users.firstname',
      'users.lastname',
      'users.organization_id',
      'users.organization_role',
      'users.picture_id',
      'users.created_at',
      'organizations.allows_public_scores',
    ]),
)

/** Returns the owners of the scores or collections of a list, by their ids. */
export async function listOwners(
  queries: Queries,
  owners: readonly string[],
): Promise<Map<string, OwnerRow>> {
  const ids = [...new Set(owners)]
  const rows = ids.length > 0 ? await ownersById(queries, { ids }) : []
  return new Map(rows.map((owner) => [owner.id, owner]))
}

export const insertScore = insertion('scores')

/** The columns of a score that a user can edit. */
export type ScoreMetadata = Pick<
  ScoresTable,
  | 'title'
  | 'title_key'
  | 'composer_key'
  | 'subtitle'
  | 'composer'
  | 'lyricist'
  | 'arranger'
  | 'description'
  | 'tags'
  | 'creation_type'
  | 'license'
  | 'license_text'
  | 'privacy'
  | 'sharing_key'
  | 'published_at'
  | 'modified_at'
  | 'search_key'
  | 'pending_credits'
>

const updateMetadata = compiled((db, p: Params<ScoreMetadata & { id: string }>) =>
  db
    .updateTable('scores')
    .set({
      title: p('title'),
      title_key: p('title_key'),
      composer_key: p('composer_key'),
      subtitle: p('subtitle'),
      composer: p('composer'),
      lyricist: p('lyricist'),
      arranger: p('arranger'),
      description: p('description'),
      tags: p('tags'),
      creation_type: p('creation_type'),
      license: p('license'),
      license_text: p('license_text'),
      privacy: p('privacy'),
      sharing_key: p('sharing_key'),
      published_at: p('published_at'),
      modified_at: p('modified_at'),
      search_key: p('search_key'),
      pending_credits: p('pending_credits'),
    })
    .where('id', '=', p('id')),
)

export async function updateSharingKey(tx: Transaction, id: string, sharing_key: string): Promise<void> {
  await tx
    .updateTable('scores')
    .set((eb) => ({ sharing_key, sharing_changes: eb('sharing_changes', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function updateScoreMetadata(
  tx: Transaction,
  { id, duration }: Pick<ScoresTable, 'id' | 'duration'>,
  metadata: ScoreMetadata,
): Promise<void> {
  const { title_key, composer_key, modified_at } = metadata
  await Promise.all([
    updateMetadata(tx, { ...metadata, id }),
    updateSortKeys(tx, { id, title_key, composer_key, duration, modified_at }),
  ])
}

/**
 * Updates the title and credits of a score. It does not update the sort keys of the collection entries:
 * `updateScoreContents` does.
 */
export async function updateScoreCredits(
  tx: Transaction,
  id: string,
  credits: Pick<ScoresTable, 'title' | 'title_key' | 'composer_key' | 'subtitle' | 'composer' | 'arranger'>,
): Promise<void> {
  await tx.updateTable('scores').set(credits).where('id', '=', id).execute()
}

export type ScoreContents = Pick<
  ScoresTable,
  | 'last_revision_id'
  | 'instruments'
  | 'duration'
  | 'measures'
  | 'tempo_qpm'
  | 'key_fifths'
  | 'search_key'
  | 'modified_at'
>

/** @param contents with the stored bytes of the new revision */
export async function updateScoreContents(
  tx: Transaction,
  score: Pick<ScoresTable, 'id' | 'title_key' | 'composer_key'>,
  { stored_bytes: more, ...contents }: ScoreContents & Pick<ScoresTable, 'stored_bytes'>,
): Promise<void> {
  const { id, title_key, composer_key } = score
  const { duration, modified_at } = contents
  await Promise.all([
    updateContents(tx, { ...contents, more, id }),
    updateSortKeys(tx, { id, title_key, composer_key, duration, modified_at }),
  ])
}

const updateContents = compiled((db, p: Params<ScoreContents & { more: number; id: string }>) =>
  db
    .updateTable('scores')
    .set({
      last_revision_id: p('last_revision_id'),
      instruments: p('instruments'),
      duration: p('duration'),
      measures: p('measures'),
      tempo_qpm: p('tempo_qpm'),
      key_fifths: p('key_fifths'),
      search_key: p('search_key'),
      modified_at: p('modified_at'),
    })
    .set((eb) => ({ stored_bytes: eb('stored_bytes', '+', p('more')) }))
    .where('id', '=', p('id')),
)

/** Lists the scores of a user that are not in the trash and not attached to an assignment or a submission. */
export async function listUnattachedScoresOf(queries: Queries, owner: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('scores')
    .where('owner_id', '=', owner)
    .where('trashed', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('assignment_attachments')
            .whereRef('score_id', '=', 'scores.id')
            .select('score_id')
            .unionAll(
              selectFrom('submission_attachments').whereRef('score_id', '=', 'scores.id').select('score_id'),
            ),
        ),
      ),
    )
    .select('scores.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives a score to another owner and takes it out of the collections of the previous owner. */
export async function transferScore(
  tx: Transaction,
  score: string,
  { from, to }: { from: string; to: string },
) {
  await updateScoreOwner(tx, score, to)
  await deleteFromCollectionsOf(tx, from, score)
}

/**
 * Changes the owner of a score, whose quota may be exceeded. The new owner must have no grant on the score.
 */
export async function updateScoreOwner(tx: Transaction, id: string, owner: string): Promise<void> {
  const score = await tx
    .selectFrom('scores')
    .select(['owner_id', 'stored_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await tx.updateTable('scores').set({ owner_id: owner }).where('id', '=', id).execute()
  await changeStoredBytes(tx, score.owner_id, -score.stored_bytes)
  await changeStoredBytes(tx, owner, score.stored_bytes)
}

/** Makes all scores of a user private and removes their sharing keys. */
export async function makeScoresPrivate(tx: Transaction, owner: string): Promise<void> {
  await tx
    .updateTable('scores')
    .set({ privacy: 'private', sharing_key: null })
    .where('owner_id', '=', owner)
    .where((eb) => eb.or([eb('privacy', '!=', 'private'), eb('sharing_key', 'is not', null)]))
    .execute()
}

/**
 * Deletes up to 20 scores of a user permanently, with everything that depends on them.
 * @returns the number of deleted scores; 0 means that none are left
 */
export async function deleteScoreBatchOf(
  ctx: DeletionContext,
  tx: Transaction,
  owner: string,
): Promise<number> {
  const batch = await tx.selectFrom('scores').where('owner_id', '=', owner).select('id').limit(20).execute()
  for (const { id } of batch) await deleteScorePermanently(ctx, tx, { id })
  return batch.length
}

/**
 * Deletes a score with everything that depends on it.
 * @param dueBy deletes the score only if its `deletion_at` is at most this time, in milliseconds
 */
export async function deleteScorePermanently(
  ctx: DeletionContext,
  tx: Transaction,
  { id, dueBy }: { id: string; dueBy?: number },
): Promise<void> {
  const score = await tx
    .selectFrom('scores')
    .where('id', '=', id)
    .$if(dueBy !== undefined, (query) => query.where('deletion_at', '<=', dueBy ?? 0))
    .select(['owner_id', 'stored_bytes'])
    .executeTakeFirst()
  if (!score) return
  const exported = await deleteExportsOf(tx, id)
  const tracks = await trackBytesOf(tx, { score: id })
  await tx.deleteFrom('scores').where('id', '=', id).execute()
  await releaseStoredBytes(ctx, tx, score.owner_id, score.stored_bytes)
  for (const { creator_id, bytes, recorded } of tracks) {
    await changeStoredBytes(tx, creator_id, -bytes)
    if (recorded > 0) await releaseStoredBytes(ctx, tx, creator_id, recorded)
  }
  await ctx.blobs.deleteUnused(tx, exported)
}

/** Reads how many bytes of synchronization points and of recordings each creator of tracks has in a score. */
const trackBytesOf = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('score_tracks')
    .leftJoin('recording_files', 'recording_files.track_id', 'score_tracks.id')
    .where('score_id', '=', p('score'))
    .groupBy('creator_id')
    .select(['creator_id', sql<number>`sum(octet_length(points))`.as('bytes')])
    .select(sql<number>`cast(coalesce(sum(recording_files.size), 0) as bigint)`.as('recorded'))
    // Simultaneous deletions lock the accounts in the same order.
    .orderBy('creator_id'),
)
