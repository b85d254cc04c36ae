import type { ScorePrivacy } from '../../../contract/scores.ts'
import { deferredWrite } from '../../../platform/db/connection.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { ScoresTable } from '../../../platform/db/score-tables.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Context } from '../../../context.ts'
import { copyDefaultTrack } from '../tracks/copy-default-track.ts'
import { composerKey } from '../scores/composer-key.ts'
import { type CollectedScore, addToCollection } from '../scores/collection-scores.store.ts'
import { type Contents, insertContents, storedBytesOf } from '../scores/contents.ts'
import { lastRevisionOf } from '../scores/pending-credits.ts'
import { checkPrivacy } from '../scores/policy.ts'
import { insertRevision, loadContents } from '../scores/revisions.store.ts'
import { searchKeyOf } from '../scores/search-key.ts'
import { recordEvent } from '../../people/events/events.ts'
import { addStoredBytes, changeStoredBytes } from '../../people/storage/quota.ts'
import { newSharingKey } from '../sharing/sharing-key.ts'
import { insertScore, type ScoreMetadata, type ScoreRow, type StoredScore } from '../scores/store.ts'
import { openTargetCollection, type AppCaller } from './policy.ts'
import { appKey, insertIntoAppCollection, touchAppCollection } from './store.ts'

export interface NewScore {
  /** The id, if it was chosen before. */
  id?: string
  title: string
  privacy: ScorePrivacy
  /** The requested collection: an id, an alias, undefined for the collection of the app, or null for none. */
  collection: string | undefined | null
}

/** The ids of a new score and its first revision, and the score as its owner would read it. */
export interface InsertedScore {
  score: string
  revision: { id: string; created_at: number }
  row: ScoreRow
}

/**
 * Inserts a score with its first revision and adds it to its collection.
 * @throws PUBLIC_SCORES_DISABLED, ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED, and as
 *   `openTargetCollection` does
 */
export async function insertNewScore(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  contents: Contents,
  { id: known, title, privacy, collection }: NewScore,
): Promise<InsertedScore> {
  const { facts, columns } = contents
  await checkPrivacy(tx, owner.id, privacy)
  const initial: InitialScore = {
    title,
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
    parent_score_id: null,
    stored_bytes: storedBytesOf(contents),
    ...columns,
  }
  const target = { collection, id: known }
  return insertWithEntry(ctx, tx, owner, target, initial, ({ id, score, now }) =>
    insertContents(ctx, tx, contents, { id, score, owner: owner.id, user: owner.id, now }),
  )
}

/**
 * Inserts a private copy of a score and adds it to its collection. The copy includes the description of the
 * work, the license and the default track. It uses the same blobs as the original, which keeps them from
 * being deleted.
 * @param revision the id of the revision to copy; the last revision by default
 * @param mayExceedQuota whether the copy is also made when the owner's storage is exhausted
 * @throws ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED, and as `openTargetCollection` does
 */
export async function insertCopy(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  original: StoredScore,
  {
    title,
    collection,
    revision,
    mayExceedQuota = false,
  }: Pick<NewScore, 'title' | 'collection'> & { revision?: string | null; mayExceedQuota?: boolean },
): Promise<InsertedScore> {
  const contents = await loadContents(tx, revision ?? lastRevisionOf(original))
  const columns = columnsOf(contents, original)
  const { subtitle, composer, lyricist, arranger, description, tags, creation_type, license, license_text } =
    original
  const initial: InitialScore = {
    title,
    subtitle,
    composer,
    lyricist,
    arranger,
    description,
    tags,
    creation_type,
    license,
    license_text,
    privacy: 'private',
    parent_score_id: original.id,
    stored_bytes: contents.stored_bytes,
    ...columns,
  }
  const inserted = await insertWithEntry(ctx, tx, owner, { collection }, initial, ({ id, score, now }) =>
    insertRevision(tx, {
      ...contents,
      ...columns,
      id,
      score_id: score,
      user_id: owner.id,
      description: null,
      import_warnings: null,
      autosave: 0,
      // Nothing changed against the copied revision.
      notes_added: 0,
      notes_deleted: 0,
      begun_at: now,
      created_at: now,
    }),
  )
  const copy = {
    id: ctx.newId(),
    score: inserted.score,
    creator: owner.id,
    now: inserted.revision.created_at,
  }
  const bytes = contents.stored_bytes + (await copyDefaultTrack(tx, original.id, copy))
  if (mayExceedQuota) await changeStoredBytes(tx, owner.id, bytes)
  else await addStoredBytes(ctx, tx, owner.id, bytes)
  return inserted
}

/**
 * Returns the musical facts for a copy. Old revisions do not store all of them; the facts of the original are
 * then used.
 */
function columnsOf(
  { instruments, duration, measures, tempo_qpm, key_fifths }: Awaited<ReturnType<typeof loadContents>>,
  original: ScoreRow,
): Contents['columns'] {
  if (instruments !== null && measures !== null)
    return { instruments, duration, measures, tempo_qpm, key_fifths }
  const { instruments: known, measures: counted, tempo_qpm: tempo, key_fifths: key } = original
  return { instruments: known, duration, measures: counted, tempo_qpm: tempo, key_fifths: key }
}

/** The initial columns of a score. */
type InitialScore = Contents['columns'] &
  Omit<
    ScoreMetadata,
    | 'pending_credits'
    | 'title_key'
    | 'composer_key'
    | 'search_key'
    | 'sharing_key'
    | 'published_at'
    | 'modified_at'
  > &
  Pick<ScoresTable, 'parent_score_id' | 'stored_bytes'>

/** Inserts a score, its first revision (with `insertFirst`) and its collection entry. */
async function insertWithEntry(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  { collection, id: score = ctx.newId() }: { collection: string | undefined | null; id?: string | undefined },
  initial: InitialScore,
  insertFirst: (revision: { id: string; score: string; now: number }) => Promise<unknown>,
): Promise<InsertedScore> {
  const now = ctx.clock.now()
  const revision = ctx.newId()
  const title_key = sortKey(initial.title)
  const composer_key = composerKey(initial.composer, title_key)
  // The statements are sent in this order without waiting for each response, which saves round trips to the
  // database.
  const row: ScoresTable = {
    ...initial,
    id: score,
    owner_id: owner.id,
    title_key,
    composer_key,
    search_key: searchKeyOf(initial),
    sharing_key: initial.privacy === 'privateLink' ? newSharingKey() : null,
    last_revision_id: revision,
    pending_credits: null,
    views: 0,
    plays: 0,
    likes: 0,
    comments: 0,
    comment_changes: 0,
    sharing_changes: 0,
    recent_counts: '',
    counts_due_at: null,
    grants: 0,
    created_at: now,
    modified_at: now,
    published_at: initial.privacy === 'public' ? now : null,
    trashed: 0,
    deletion_at: null,
  }
  const written = insertScore(tx, row)
  const [collections = null] = await Promise.all([
    addToTargetCollection(ctx, tx, owner, collection, row),
    written,
    insertFirst({ id: revision, score, now }),
    recordEvent(ctx, tx, {
      user: owner.id,
      type: 'score.created',
      actor: owner.id,
      objects: { score, revision },
    }),
  ])
  return { score, revision: { id: revision, created_at: now }, row: { ...row, collections } }
}

/**
 * Adds a new score to the requested collection. If the collection of the app exists, this takes two
 * statements.
 * @returns the id of the collection; undefined for none
 */
async function addToTargetCollection(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  requested: string | undefined | null,
  score: CollectedScore,
): Promise<string | undefined> {
  const app = appKey(owner.app)
  if (requested === undefined || requested === 'app') {
    const inserted = insertIntoAppCollection(tx, { ...score, app })
    deferredWrite(tx, touchAppCollection(tx, { user: owner.id, app, now: score.modified_at }))
    const [entry] = await inserted
    if (entry) return entry.collection_id
  }
  const collection = await openTargetCollection(ctx, tx, owner, requested)
  if (collection)
    await addToCollection(tx, collection, score, { by: owner.id, key: null, now: score.modified_at })
  return collection
}
