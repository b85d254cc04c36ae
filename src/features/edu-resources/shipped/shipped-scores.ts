import type { Queries, Transaction } from '../../../db/database.ts'
import { shorthandToMusicXml } from '../../../music/shorthand.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Context } from '../../../operation.ts'
import { type Attachment, emptyAttachment } from '../../assignments/attached.ts'
import { insertNewScore } from '../../collections/new-score.ts'
import { type Contents, contentsOfFile, insertContents } from '../../scores/contents.ts'
import { findRevision } from '../../scores/revisions.ts'
import { searchKeyOf } from '../../scores/search-key.ts'
import {
  deleteScoresAtOnce,
  findScore,
  listUnattachedScoresOf,
  type ScoreRow,
  updateScoreContents,
  updateScoreCredits,
} from '../../scores/store.ts'
import { partitaAccount } from '../../users/store.ts'
import { type ShippedAssignment, type ShippedScore, shippedId } from './shipped-assignment.ts'

/** A score of an edition, read, so that only rows are still to be written. */
export interface PreparedScore {
  id: string
  shipped: ShippedScore
  contents: Contents
}

/** Reads the scores of an assignment. Parts and measures keep their identities where a score is there already. */
export async function prepareScores(ctx: Context, { key, scores = [] }: ShippedAssignment): Promise<PreparedScore[]> {
  const prepared: PreparedScore[] = []
  for (const shipped of scores) {
    const id = shippedId('score', `${key}/${shipped.key}`)
    const document = (await findShipped(ctx.db.read, id))?.document
    const previous = document && Buffer.from(await ctx.blobs.read(ctx.db.read, document)).toString()
    const contents = await contentsOfFile(ctx, Buffer.from(shorthandToMusicXml(shipped.score)), previous)
    prepared.push({ id, shipped, contents })
  }
  return prepared
}

/** A score that is there, and the blob of its newest document. */
async function findShipped(queries: Queries, id: string): Promise<{ score: ScoreRow; document: string } | undefined> {
  const found = await findScore(queries, { id, viewer: partitaAccount, organization: '' })
  const revision = found && (await findRevision(queries, { score: id, id: found.score.last_revision_id }))
  return revision && { score: found.score, document: revision.document_blob }
}

/** Saves what has changed of the scores as new revisions. What to attach. */
export async function saveScores(
  ctx: Context,
  tx: Transaction,
  prepared: readonly PreparedScore[],
): Promise<Attachment[]> {
  for (const score of prepared) await saveScore(ctx, tx, score)
  return prepared.map(({ id, shipped: { use } }) => ({
    ...emptyAttachment,
    score_id: id,
    sharing_mode: use === 'teacherOnly' ? 'read' : use,
    teacher_only: use === 'teacherOnly' ? 1 : 0,
    attached_by: partitaAccount,
  }))
}

async function saveScore(ctx: Context, tx: Transaction, { id, shipped, contents }: PreparedScore): Promise<void> {
  const { title } = shipped.score
  const known = await findShipped(tx, id)
  if (!known) {
    const owner = { id: partitaAccount, app: undefined }
    // Private: students are not to find the solutions. Who teaches reads it by its assignment.
    await insertNewScore(ctx, tx, owner, contents, { id, title, privacy: 'private', collection: 'root' })
  } else if (known.document !== contents.document.hash) {
    await updateScore(ctx, tx, known.score, title, contents)
  }
}

async function updateScore(
  ctx: Context,
  tx: Transaction,
  { id, lyricist }: ScoreRow,
  title: string,
  contents: Contents,
): Promise<void> {
  const now = ctx.clock.now()
  const { subtitle = null, composer = null, arranger = null } = contents.facts
  const credits = { title, title_key: sortKey(title), subtitle, composer, arranger }
  const revision = { id: ctx.newId(), score: id, user: partitaAccount, now }
  const { id: last_revision_id } = await insertContents(ctx, tx, contents, revision)
  const search_key = searchKeyOf({ ...credits, lyricist, ...contents.columns })
  await updateScoreCredits(tx, id, credits)
  const change = { ...contents.columns, search_key, last_revision_id, modified_at: now }
  await updateScoreContents(tx, { id, title_key: credits.title_key }, change)
}

/** Deletes what an earlier edition had and this one has not; what teachers have attached to their own stays. */
export async function deleteUnusedScores(ctx: Pick<Context, 'jobs'>, tx: Transaction): Promise<void> {
  const unused = await listUnattachedScoresOf(tx, partitaAccount)
  if (unused.length === 0) return
  await deleteScoresAtOnce(tx, unused)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}
