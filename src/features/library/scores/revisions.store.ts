import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreRevisionsTable, ScoresTable } from '../../../platform/db/score-tables.ts'

export const insertRevision = insertion('score_revisions')

/** A revision without its source file and without the columns that are only needed to copy it. */
export type RevisionRow = Omit<
  ScoreRevisionsTable,
  'source_blob' | 'source_format' | 'stored_bytes' | 'instruments' | 'tempo_qpm' | 'key_fifths'
>

/** The columns of a revision that a response shows. */
export type RevisionFacts = Pick<RevisionRow, (typeof factColumns)[number]>

const factColumns = [
  'id',
  'score_id',
  'user_id',
  'description',
  'autosave',
  'import_warnings',
  'notes_added',
  'notes_deleted',
  'begun_at',
  'created_at',
] as const
const revisionColumns = [...factColumns, 'document_blob', 'part_uuids', 'duration', 'measures'] as const

const revisionById = compiled((db, p: Params<{ score: string; id: string }>) =>
  db
    .selectFrom('score_revisions')
    .select(revisionColumns)
    .where('id', '=', p('id'))
    .where('score_id', '=', p('score')),
)

const lockedTemplate = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('score_revisions')
    .where('score_id', '=', p('score'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('submission_attachments')
          .where('submission_attachments.score_id', '=', p('score'))
          .where('dedicated', '=', 1)
          .where('lock_score_template', '=', 1)
          .select('submission_attachments.score_id'),
      ),
    )
    .orderBy('id')
    .limit(1)
    .select('document_blob'),
)

/**
 * Returns the blob of the template that a score was copied from for a submission, if its notes are locked. It is
 * the document of the first revision.
 */
export async function findLockedTemplate(queries: Queries, score: string): Promise<string | undefined> {
  const [first] = await lockedTemplate(queries, { score })
  return first?.document_blob
}

export async function findRevision(
  queries: Queries,
  by: { score: string; id: string },
): Promise<RevisionRow | undefined> {
  const [revision] = await revisionById(queries, by)
  return revision
}

const lastRevision = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('scores')
    .innerJoin('score_revisions', 'score_revisions.id', 'scores.last_revision_id')
    .where('scores.id', '=', p('score'))
    .select(revisionColumns.map((column) => `score_revisions.${column}` as const))
    .select('scores.pending_credits'),
)

/** Finds the last revision of a score, with the credits that its document lacks. */
export async function findLastRevision(
  queries: Queries,
  score: string,
): Promise<(RevisionRow & Pick<ScoresTable, 'pending_credits'>) | undefined> {
  const [revision] = await lastRevision(queries, { score })
  return revision
}

/** Maximum number of revisions in a list. An editor with autosave creates some hundreds a day. */
const maxListed = 10_000

/**
 * The condition is a range and the order is that of the index. With `=`, PostgreSQL may scan the primary key
 * instead, or sort the rows.
 */
const revisionsOfScore = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('score_revisions')
    .select(factColumns)
    .where('score_id', '>=', p('score'))
    .where('score_id', '<=', p('score'))
    .orderBy('score_id', 'desc')
    .orderBy('id', 'desc')
    .limit((eb) => eb.lit(maxListed)),
)

/** Lists the latest revisions of a score, newest first. */
export async function listRevisions(queries: Queries, score: string): Promise<RevisionFacts[]> {
  return revisionsOfScore(queries, { score })
}

const contentsOfRevision = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('score_revisions')
    .select(['document_blob', 'source_blob', 'source_format', 'stored_bytes', 'part_uuids', 'duration'])
    .select(['instruments', 'measures', 'tempo_qpm', 'key_fifths'])
    .where('id', '=', p('id')),
)

/** The musical facts of a revision and the hashes of its blobs. */
type StoredContents = Awaited<ReturnType<typeof contentsOfRevision>>[number]

export async function loadContents(queries: Queries, revision: string): Promise<StoredContents> {
  const [contents] = await contentsOfRevision(queries, { id: revision })
  if (!contents) throw new Error(`There is no revision ${revision}`)
  return contents
}
