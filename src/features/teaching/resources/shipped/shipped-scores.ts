import type { Queries, Transaction } from '../../../../platform/db/database.ts'
import { sortKey } from '../../../../lib/sort-key.ts'
import type { Context } from '../../../../context.ts'
import { type Attachment, emptyAttachment } from '../../assignments/attachments.store.ts'
import { insertNewScore } from '../../../library/collections/new-score.ts'
import { composerKey } from '../../../library/scores/composer-key.ts'
import { type Contents, contentsOfFile, insertContents, titleOf } from '../../../library/scores/contents.ts'
import { findRevision } from '../../../library/scores/revisions.store.ts'
import { searchKeyOf } from '../../../library/scores/search-key.ts'
import {
  findScore,
  listUnattachedScoresOf,
  type ScoreRow,
  updateScoreContents,
  updateScoreCredits,
} from '../../../library/scores/store.ts'
import { scheduleImmediateDeletion } from '../../../library/scores/trash.store.ts'
import { partitaAccount } from '../../../people/users/store.ts'
import { type ShippedAssignment, type ShippedScore, shippedId } from './shipped-assignment.ts'

/** A parsed score of an edition, ready to be written to the database. */
export interface PreparedScore {
  id: string
  shipped: ShippedScore
  contents: Contents
}

/**
 * Parses the scores of an assignment. Parts and measures of a score that is already stored keep their ids.
 */
export async function prepareScores(
  ctx: Context,
  { key, scores }: ShippedAssignment,
): Promise<PreparedScore[]> {
  const prepared: PreparedScore[] = []
  for (const shipped of scores) {
    const id = shippedId('score', `${key}/${shipped.key}`)
    const document = (await findShipped(ctx.db.read, id))?.document
    const previous = document && Buffer.from(await ctx.blobs.read(ctx.db.read, document)).toString()
    const contents = await contentsOfFile(ctx, shipped.musicXml, { caller: partitaAccount }, { previous })
    prepared.push({ id, shipped, contents })
  }
  return prepared
}

/** Finds a stored score and the blob of its latest document. */
async function findShipped(
  queries: Queries,
  id: string,
): Promise<{ score: ScoreRow; document: string } | undefined> {
  const row = await findScore(queries, { id, viewer: partitaAccount, organization: '' })
  const revision = row && (await findRevision(queries, { score: id, id: row.score.last_revision_id }))
  return revision && { score: row.score, document: revision.document_blob }
}

/** Saves changed scores as new revisions. Returns the attachments of the assignment. */
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

async function saveScore(
  ctx: Context,
  tx: Transaction,
  { id, shipped, contents }: PreparedScore,
): Promise<void> {
  const title = titleOf(undefined, contents.facts.title, shipped.key)
  const known = await findShipped(tx, id)
  if (!known) {
    const owner = { id: partitaAccount, app: undefined }
    // Private, so that students cannot find the solutions. Teachers get access through the assignment.
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
  const title_key = sortKey(title)
  const composer_key = composerKey(composer, title_key)
  const credits = { title, title_key, composer_key, subtitle, composer, arranger }
  const revision = { id: ctx.newId(), score: id, owner: partitaAccount, user: partitaAccount, now }
  const { id: last_revision_id, stored_bytes } = await insertContents(ctx, tx, contents, revision)
  const search_key = searchKeyOf({ ...credits, lyricist, ...contents.columns })
  await updateScoreCredits(tx, id, credits)
  const change = { ...contents.columns, search_key, last_revision_id, stored_bytes, modified_at: now }
  await updateScoreContents(tx, { id, title_key, composer_key }, change)
}

/**
 * Deletes the scores that no assignment uses any more. Scores that teachers have attached to their own
 * assignments stay.
 */
export async function deleteUnusedScores(ctx: Pick<Context, 'jobs'>, tx: Transaction): Promise<void> {
  const unused = await listUnattachedScoresOf(tx, partitaAccount)
  if (unused.length === 0) return
  await scheduleImmediateDeletion(tx, unused)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}
