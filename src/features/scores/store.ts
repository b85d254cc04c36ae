import { createHmac, randomBytes } from 'node:crypto'
import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { idList } from '../../db/expressions.ts'
import { insertion } from '../../db/insertion.ts'
import { loadServerSecretIn } from '../../db/server-secrets.ts'
import type { ScoreRevisionsTable, ScoresTable, ScoreViewsTable, Tables } from '../../db/tables.ts'
import type { DeferredWrite } from '../../db/write-behind.ts'
import type { UserFacts } from '../users/present.ts'

/** A score, and in which collections of the viewer it is (ids, by commas). */
export type ScoreRow = Pick<ScoresTable, ColumnName> & { collections: string | null }
type ColumnName = (typeof scoreColumns)[number] extends `scores.${infer Name}` ? Name & keyof ScoresTable : never

/** The owner of a score, with what the organization says about being seen. */
export type OwnerRow = UserFacts & { allows_public_scores: 0 | 1 | null }

/** What every answer with a score needs, whoever asks and however it was found. */
export const scoreColumns = [
  'scores.id',
  'scores.owner_id',
  'scores.title',
  'scores.title_key',
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
  'scores.created_at',
  'scores.modified_at',
  'scores.published_at',
  'scores.trashed',
  'scores.deletion_at',
] as const

/** The viewer's collections that the score of the outer query is in. */
export function collectionsOf(eb: ExpressionBuilder<Tables, 'scores'>, viewer: Expression<string>) {
  return eb
    .selectFrom('collection_scores as holding')
    .innerJoin('collections', 'collections.id', 'holding.collection_id')
    .whereRef('holding.score_id', '=', 'scores.id')
    .where('collections.user_id', '=', viewer)
    .select(idList('holding.collection_id').as('ids'))
}

const scoreById = compiled((db, p: Params<{ id: string; viewer: string }>) =>
  db
    .selectFrom('scores')
    .innerJoin('users as owner', 'owner.id', 'scores.owner_id')
    .leftJoin('organizations as owner_organization', 'owner_organization.id', 'owner.organization_id')
    .where('scores.id', '=', p('id'))
    .select(scoreColumns)
    .select((eb) => collectionsOf(eb, p('viewer')).as('collections'))
    .select([
      'owner.username',
      'owner.firstname',
      'owner.lastname',
      'owner.organization_id',
      'owner.organization_role',
      'owner.created_at as owner_created_at',
      'owner_organization.allows_public_scores',
    ]),
)

/** A score and its owner, in one query. */
export async function findScore(
  queries: Queries,
  by: { id: string; viewer: string },
): Promise<{ score: ScoreRow; owner: OwnerRow } | undefined> {
  const [row] = await scoreById(queries, by)
  if (!row) return undefined
  const { owner_id: id, username, firstname, lastname, organization_id, organization_role } = row
  const { owner_created_at: created_at, allows_public_scores } = row
  const owner = {
    id,
    username,
    firstname,
    lastname,
    organization_id,
    organization_role,
    created_at,
    allows_public_scores,
  }
  return { score: row, owner }
}

const ownersById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db
    .selectFrom('users')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('users.id', 'in', p.list('ids'))
    .select([
      'users.id',
      'users.username',
      'users.firstname',
      'users.lastname',
      'users.organization_id',
      'users.organization_role',
      'users.created_at',
      'organizations.allows_public_scores',
    ]),
)

/** The owners of the scores of a list, by their ids. */
export async function listOwners(queries: Queries, scores: readonly ScoreRow[]): Promise<Map<string, OwnerRow>> {
  const ids = [...new Set(scores.map(({ owner_id }) => owner_id))]
  const owners = ids.length > 0 ? await ownersById(queries, { ids }) : []
  return new Map(owners.map((owner) => [owner.id, owner]))
}

export const insertScore = insertion('scores')
export const insertRevision = insertion('score_revisions')
/** Puts a score into a collection; harmless where it is in there already. */
export const insertCollectionScore = insertion('collection_scores', { orIgnore: true })

/** What a person can change of a score. */
export type ScoreMetadata = Pick<
  ScoresTable,
  | 'title'
  | 'title_key'
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
>

const updateMetadata = compiled((db, p: Params<ScoreMetadata & { id: string }>) =>
  db
    .updateTable('scores')
    .set({
      title: p('title'),
      title_key: p('title_key'),
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
    })
    .where('id', '=', p('id')),
)

/** The copies that lists are sorted by. */
const updateSortKeys = compiled((db, p: Params<{ id: string; title_key: string; modified_at: number }>) =>
  db
    .updateTable('collection_scores')
    .set({ title_key: p('title_key'), modified_at: p('modified_at') })
    .where('score_id', '=', p('id')),
)

export async function updateScoreMetadata(tx: Transaction, id: string, metadata: ScoreMetadata): Promise<void> {
  const { title_key, modified_at } = metadata
  await Promise.all([updateMetadata(tx, { ...metadata, id }), updateSortKeys(tx, { id, title_key, modified_at })])
}

/** What the newest revision says of the score. */
export type ScoreContents = Pick<
  ScoresTable,
  'last_revision_id' | 'instruments' | 'duration' | 'measures' | 'tempo_qpm' | 'key_fifths' | 'modified_at'
>

export async function updateScoreContents(
  tx: Transaction,
  score: { id: string; title_key: string },
  contents: ScoreContents,
): Promise<void> {
  await tx.updateTable('scores').set(contents).where('id', '=', score.id).execute()
  await updateSortKeys(tx, { id: score.id, title_key: score.title_key, modified_at: contents.modified_at })
}

/** The time of deletion of a score that is gone for everyone already and only waits to be deleted. */
export const atOnce = 0

/** Into the trash or out of it. Whether the score was on the other side before. */
export async function updateTrashed(
  tx: Transaction,
  id: string,
  trashed: 0 | 1,
  deletionAt: number | null,
): Promise<boolean> {
  const moved = await tx
    .updateTable('scores')
    .set({ trashed, deletion_at: deletionAt })
    .where('id', '=', id)
    .where('trashed', '=', trashed ? 0 : 1)
    .executeTakeFirst()
  await tx.updateTable('collection_scores').set({ trashed }).where('score_id', '=', id).execute()
  return moved.numUpdatedRows > 0n
}

/** Brings forward the deletion of a score that is in the trash. */
export async function updateDeletionAt(tx: Transaction, id: string, deletionAt: number): Promise<void> {
  await tx
    .updateTable('scores')
    .set({ deletion_at: deletionAt })
    .where('id', '=', id)
    .where('trashed', '=', 1)
    .execute()
}

/** A score in the trash: when its time there is over, and its id. */
export interface TrashedScore {
  deletion_at: number
  id: string
}

/** Scores whose time in the trash is over, those first that are due the longest. */
export async function listDueScores(
  queries: Queries,
  { now, after, limit }: { now: number; after: TrashedScore | undefined; limit: number },
): Promise<TrashedScore[]> {
  return queries
    .selectFrom('scores')
    .select((eb) => [eb.ref('deletion_at').$notNull().as('deletion_at'), 'id'])
    .where('deletion_at', '<=', now)
    .where(sql<boolean>`(deletion_at, id) > (${after?.deletion_at ?? -1}, ${after?.id ?? ''})`)
    .orderBy('deletion_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes a score, with its revisions and all else that hangs on it, if it is due. Whether it was. */
export async function deleteDueScore(tx: Transaction, id: string, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('scores')
    .where('id', '=', id)
    .where('trashed', '=', 1)
    .where('deletion_at', '<=', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A revision without its documents. */
export type RevisionRow = Omit<ScoreRevisionsTable, 'source_blob' | 'source_format'>

const revisionColumns = [
  'id',
  'score_id',
  'user_id',
  'description',
  'autosave',
  'document_blob',
  'part_uuids',
  'duration',
  'notes_added',
  'notes_deleted',
  'created_at',
] as const

const revisionById = compiled((db, p: Params<{ score: string; id: string }>) =>
  db.selectFrom('score_revisions').select(revisionColumns).where('id', '=', p('id')).where('score_id', '=', p('score')),
)

export async function findRevision(
  queries: Queries,
  by: { score: string; id: string },
): Promise<RevisionRow | undefined> {
  const [revision] = await revisionById(queries, by)
  return revision
}

const revisionsOfScore = compiled((db, p: Params<{ score: string }>) =>
  db.selectFrom('score_revisions').select(revisionColumns).where('score_id', '=', p('score')).orderBy('id', 'desc'),
)

/** Newest first. */
export async function listRevisions(queries: Queries, score: string): Promise<RevisionRow[]> {
  return revisionsOfScore(queries, { score })
}

/** The blob of what was already made of a revision. */
export async function findExport(queries: Queries, revision: string, variant: string): Promise<string | undefined> {
  const [row] = await exportOf(queries, { revision, variant })
  return row?.blob
}

const exportOf = compiled((db, p: Params<{ revision: string; variant: string }>) =>
  db
    .selectFrom('score_exports')
    .select('blob')
    .where('revision_id', '=', p('revision'))
    .where('variant', '=', p('variant')),
)

export const insertExport = insertion('score_exports', { orIgnore: true })

/**
 * Counts a viewer once an hour: `score|viewer|hour` → 1. Who saw the score before in the same hour is not counted again,
 * in whichever process.
 */
export const scoreViews: DeferredWrite = {
  name: 'score views',
  merge: () => 1,
  async flush(tx, notes) {
    const secret = await loadServerSecretIn(tx, 'views', () => randomBytes(32))
    for (const key of notes.keys()) {
      const [score_id = '', viewer = '', hour = ''] = key.split('|')
      // An address is personal, and there are few enough of them to try them all: a plain hash would not hide it.
      const pseudonym = createHmac('sha256', secret).update(viewer).digest('base64url')
      const isNew = await insertView(tx, { score_id, viewer: pseudonym, hour: Number(hour) })
      if (isNew) await countView(tx, { score: score_id })
    }
  },
}

const insertView = compiled((db, p: Params<ScoreViewsTable>) =>
  db
    .insertInto('score_views')
    .columns(['score_id', 'viewer', 'hour'])
    // A score that was deleted meanwhile has no views.
    .expression((eb) =>
      eb
        .selectFrom('scores')
        .where('id', '=', p('score_id'))
        .select((row) => [
          'id',
          row.cast<string>(p('viewer'), 'text').as('viewer'),
          row.cast<number>(p('hour'), 'bigint').as('hour'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Deletes what was noted of the hours before that one, an hour at a time. */
export async function deleteViewsBefore(db: Database, hour: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const oldest = await db.read
      .selectFrom('score_views')
      .select('hour')
      .where('hour', '<', hour)
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return
    await db.transaction((tx) => tx.deleteFrom('score_views').where('hour', '=', oldest.hour).execute())
  }
}

const countView = compiled((db, p: Params<{ score: string }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({ views: eb('views', '+', 1) }))
    .where('id', '=', p('score')),
)
