import type { ScorePrivacy } from '../../contract/scores.ts'
import type { Transaction } from '../../db/database.ts'
import type { ScoresTable } from '../../db/score-tables.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Context } from '../../operation.ts'
import { copyDefaultTrack } from '../score-tracks/copies.ts'
import { type Placed, putIntoCollection } from '../scores/collection-scores.ts'
import { type Contents, insertContents } from '../scores/contents.ts'
import { checkPrivacy } from '../scores/policy.ts'
import { insertRevision, loadContents } from '../scores/revisions.ts'
import { searchKeyOf } from '../scores/search-key.ts'
import { newSharingKey } from '../scores/sharing-key.ts'
import { insertScore, type ScoreRow } from '../scores/store.ts'
import { openPlace, type Placing } from './policy.ts'
import { appKey, insertIntoAppCollection } from './store.ts'

export interface NewScore {
  /** Where it is known before. */
  id?: string
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
 * @throws PUBLIC_SCORES_DISABLED, and as `openPlace` does
 */
export async function insertNewScore(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  contents: Contents,
  { id: known, title, privacy, collection }: NewScore,
): Promise<Inserted> {
  const { facts, columns } = contents
  await checkPrivacy(tx, owner.id, privacy)
  const about: About = {
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
    ...columns,
  }
  const place = { collection, id: known }
  return insertPlaced(ctx, tx, owner, place, about, ({ id, score, now }) =>
    insertContents(ctx, tx, contents, { id, score, user: owner.id, now }),
  )
}

/**
 * Writes a copy of a revision of a score, of the last where none is named, as a private score with its own place. All that
 * describes the work comes along, with the conditions of its use and the default track; the blobs are those of the original,
 * which the copy keeps alive.
 * @throws as `openPlace` does
 */
export async function insertCopy(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  original: ScoreRow,
  { title, collection, revision }: Pick<NewScore, 'title' | 'collection'> & { revision?: string | null },
): Promise<Inserted> {
  const contents = await loadContents(tx, revision ?? original.last_revision_id)
  const columns = columnsOf(contents, original)
  const { subtitle, composer, lyricist, arranger, description, tags, creation_type, license, license_text } = original
  const about: About = {
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
    ...columns,
  }
  const inserted = await insertPlaced(ctx, tx, owner, { collection }, about, ({ id, score, now }) =>
    insertRevision(tx, {
      ...contents,
      ...columns,
      id,
      score_id: score,
      user_id: owner.id,
      description: null,
      autosave: 0,
      // Against the revision that was copied.
      notes_added: 0,
      notes_deleted: 0,
      created_at: now,
    }),
  )
  const copy = { id: ctx.newId(), score: inserted.score, creator: owner.id, now: inserted.revision.created_at }
  await copyDefaultTrack(tx, original.id, copy)
  return inserted
}

/** What a copy says of its music: what the revision does, and where that is not known, what the score does. */
function columnsOf(
  { instruments, duration, measures, tempo_qpm, key_fifths }: Awaited<ReturnType<typeof loadContents>>,
  original: ScoreRow,
): Contents['columns'] {
  if (instruments !== null && measures !== null) return { instruments, duration, measures, tempo_qpm, key_fifths }
  const { instruments: known, measures: counted, tempo_qpm: tempo, key_fifths: key } = original
  return { instruments: known, duration, measures: counted, tempo_qpm: tempo, key_fifths: key }
}

/** What a score says of itself when it begins. */
type About = Contents['columns'] &
  Pick<
    ScoresTable,
    | 'title'
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
    | 'parent_score_id'
  >

/** Writes a score, its first revision as `insertFirst` does, and its place. */
async function insertPlaced(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  { collection, id: score = ctx.newId() }: { collection: string | undefined; id?: string | undefined },
  about: About,
  insertFirst: (revision: { id: string; score: string; now: number }) => Promise<unknown>,
): Promise<Inserted> {
  const now = ctx.clock.now()
  const revision = ctx.newId()
  const title_key = sortKey(about.title)
  // Sent one behind another without a wait for each, in this order: the database is not always near.
  const written = insertScore(tx, {
    ...about,
    id: score,
    owner_id: owner.id,
    title_key,
    search_key: searchKeyOf(about),
    sharing_key: about.privacy === 'privateLink' ? newSharingKey() : null,
    last_revision_id: revision,
    views: 0,
    plays: 0,
    likes: 0,
    comments: 0,
    grants: 0,
    created_at: now,
    modified_at: now,
    published_at: about.privacy === 'public' ? now : null,
    trashed: 0,
    deletion_at: null,
  })
  const placed = { id: score, owner_id: owner.id, title_key, created_at: now, modified_at: now }
  await Promise.all([written, place(ctx, tx, owner, collection, placed), insertFirst({ id: revision, score, now })])
  return { score, revision: { id: revision, created_at: now } }
}

/** Puts a new score where its owner wants it; into the collection of an app, where there is one, by a single statement. */
async function place(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  asked: string | undefined,
  score: Placed,
): Promise<void> {
  const isOfApp = asked === undefined || asked === 'app'
  if (isOfApp && (await insertIntoAppCollection(tx, { ...score, app: appKey(owner.app) }))) return
  const collection = await openPlace(ctx, tx, owner, asked)
  if (collection) await putIntoCollection(tx, collection, score, { by: owner.id, key: null })
}
