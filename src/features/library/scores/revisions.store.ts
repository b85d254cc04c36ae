import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Database, Queries } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreRevisionsTable } from '../../../platform/db/score-tables.ts'

export const insertRevision = insertion('score_revisions')

/** A revision without its source file and without the columns that are only needed to copy it. */
export type RevisionRow = Omit<
  ScoreRevisionsTable,
  'source_blob' | 'source_format' | 'stored_bytes' | 'instruments' | 'measures' | 'tempo_qpm' | 'key_fifths'
>

/** The columns of a revision that a response shows. */
export type RevisionFacts = Pick<RevisionRow, (typeof factColumns)[number]>

const factColumns = [
  'id',
  'score_id',
  'user_id',
  'description',
  'autosave',
  'notes_added',
  'notes_deleted',
  'created_at',
] as const
const revisionColumns = [...factColumns, 'document_blob', 'part_uuids', 'duration'] as const

const revisionById = compiled((db, p: Params<{ score: string; id: string }>) =>
  db
    .selectFrom('score_revisions')
    .select(revisionColumns)
    .where('id', '=', p('id'))
    .where('score_id', '=', p('score')),
)

export async function findRevision(
  queries: Queries,
  by: { score: string; id: string },
): Promise<RevisionRow | undefined> {
  const [revision] = await revisionById(queries, by)
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

/** Returns the hash of the blob of a stored export. */
export async function findExport(
  queries: Queries,
  revision: string,
  variant: string,
): Promise<string | undefined> {
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

const batchSize = 500

/**
 * Deletes the exports that were created before `time` (in milliseconds). There is no index on the time, so
 * this scans all exports in batches.
 */
export async function deleteExportsBefore(db: Database, time: number, signal: AbortSignal): Promise<void> {
  let last: { revision_id: string; variant: string } | undefined
  do {
    const { revision_id = '', variant = '' } = last ?? {}
    const rows = await db.read
      .selectFrom('score_exports')
      .select(['revision_id', 'variant', 'created_at'])
      .where((eb) => eb(eb.refTuple('revision_id', 'variant'), '>', eb.tuple(revision_id, variant)))
      .orderBy('revision_id')
      .orderBy('variant')
      .limit(batchSize)
      .execute()
    const old = [...new Set(rows.filter(({ created_at }) => created_at < time).map((row) => row.revision_id))]
    if (old.length > 0) await db.transaction((tx) => deleteExports(tx, { revisions: old, time }))
    last = rows.at(-1)
  } while (last && !signal.aborted)
}

const deleteExports = compiled((db, p: Params<{ revisions: readonly string[]; time: number }>) =>
  db
    .deleteFrom('score_exports')
    .where('revision_id', 'in', p.list('revisions'))
    .where('created_at', '<', p('time')),
)
