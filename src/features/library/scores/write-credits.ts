import { second } from '../../../lib/durations.ts'
import { recordEvent } from '../../people/events/events.ts'
import type { Waiter } from '../../../lib/shared-runs.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { Failure, fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { insertContents, type RevisionContents, storingContents } from './contents.ts'
import { findPending, listPendingOf, type PendingScore, updateWrittenCredits } from './credits.store.ts'
import { maxAttempts, onLastRevision } from './document-changes.ts'
import { keepRevision } from './kept-revisions.ts'
import { CreditsArePending, lastRevisionOf, parsePending } from './pending-credits.ts'
import { loadRevision } from './policy.ts'
import { findRevision, type RevisionRow } from './revisions.store.ts'
import type { StoredScore } from './store.ts'

/** The time after which edited credits are written although nothing has read the document, in milliseconds. */
const writeDelay = 10 * second

/** Enqueues the job that writes the pending credits of a score. */
export async function enqueueWriting(
  { jobs, clock }: Pick<Context, 'jobs' | 'clock'>,
  tx: Transaction,
  { id: score, owner_id: user }: Pick<StoredScore, 'id' | 'owner_id'>,
): Promise<void> {
  const runAt = clock.now() + writeDelay
  await jobs.enqueue(tx, { kind: 'write-credits', payload: { user, score }, key: score, runAt })
}

/**
 * Returns a score whose document has all credits: writes those that are pending.
 * @throws REVISION_CONFLICT
 */
export async function withCreditsWritten<Score extends StoredScore>(
  ctx: Context,
  score: Score,
  waiter: Waiter,
): Promise<Score> {
  if (score.pending_credits === null) return score
  const last_revision_id = await writeCredits(ctx, score.id, waiter)
  return { ...score, last_revision_id: last_revision_id ?? score.last_revision_id, pending_credits: null }
}

/**
 * Loads a revision of a score outside of a transaction.
 * @param idOrLast the id of a revision, or `last` for the newest
 * @throws REVISION_NOT_FOUND, REVISION_CONFLICT
 */
export async function openRevision(
  ctx: Context,
  score: StoredScore,
  idOrLast: string,
  waiter: Waiter,
): Promise<RevisionRow> {
  const current = idOrLast === 'last' ? await withCreditsWritten(ctx, score, waiter) : score
  const kept = ctx.keptRevisions.get(idOrLast === 'last' ? lastRevisionOf(current) : idOrLast)
  if (kept?.score_id === score.id) return kept
  const revision = await loadRevision(ctx.db.read, current, idOrLast)
  keepRevision(ctx.keptRevisions, revision)
  return revision
}

/** Writes the pending credits of all scores of an account. */
export async function writeCreditsOf(ctx: Context, owner: string): Promise<void> {
  const waiter = { caller: owner, isPatient: true }
  for (const id of await listPendingOf(ctx.db.read, owner)) await writeCredits(ctx, id, waiter)
}

/**
 * Runs a transaction, and again whenever it fails with `CreditsArePending`, after these credits were written.
 * @throws REVISION_CONFLICT if the credits of a score are edited all the time
 */
export async function repeatWithCredits<Result>(
  ctx: Context,
  transaction: () => Promise<Result>,
): Promise<Result> {
  const attempts = new Map<string, number>()
  for (;;) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof CreditsArePending)) throw error
      const { id, owner_id: caller } = error.score
      const attempt = (attempts.get(id) ?? 0) + 1
      if (attempt > maxAttempts) fail('REVISION_CONFLICT')
      attempts.set(id, attempt)
      await writeCredits(ctx, id, { caller })
    }
  }
}

/**
 * Writes the pending credits of a score into its document, and saves it as a new revision if it changes.
 * @returns the id of the last revision; undefined if the score was deleted
 * @throws REVISION_CONFLICT
 */
export async function writeCredits(ctx: Context, id: string, waiter: Waiter): Promise<string | undefined> {
  const written = await onLastRevision(ctx, id, waiter, () => writeOnLast(ctx, id, waiter))
  return written.revision
}

/**
 * Writes the pending credits on top of the current last revision. It runs within `onLastRevision`.
 * @returns the id of the last revision, which is undefined if the score was deleted. Returns undefined if another process saved a
 *   revision meanwhile.
 */
export async function writeOnLast(
  ctx: Context,
  id: string,
  waiter: Waiter,
): Promise<{ revision: string | undefined } | undefined> {
  const score = await findPending(ctx.db.read, id)
  if (!score?.pending_credits) return { revision: score?.last_revision_id }
  const { pending_credits: pending, last_revision_id: last } = score
  const document = await prepareDocument(ctx, score, pending, waiter)
  const save = async (tx: Transaction) => {
    const now = await findPending(tx, id)
    if (now && now.last_revision_id !== last) return undefined
    if (!now?.pending_credits) return { revision: now?.last_revision_id }
    return { revision: await saveDocument(ctx, tx, score, now, document) }
  }
  return document ? storingContents(ctx, document, () => ctx.transaction(save)) : ctx.transaction(save)
}

/** A changed document, with the time of the revision that it was made from. */
type NewDocument = RevisionContents & { begunAt: number }

/** Returns the document of the last revision with the pending credits; undefined if it has them already. */
async function prepareDocument(
  ctx: Context,
  { id, last_revision_id, instruments, duration, measures, tempo_qpm, key_fifths }: PendingScore,
  pending: string,
  { caller, signal, isPatient = false }: Waiter,
): Promise<NewDocument | undefined> {
  const last = await findRevision(ctx.db.read, { score: id, id: last_revision_id })
  if (!last) return undefined
  const json = Buffer.from(await ctx.blobs.read(ctx.db.read, last.document_blob)).toString()
  const { credits } = parsePending(pending)
  const waiters = { callers: [caller], signal, isPatient: () => isPatient }
  const changed = await ctx.notation.changeCredits(json, credits, waiters).catch((error) => {
    // A retry would fail in the same way, and no reader would ever get the last revision.
    if (error instanceof Failure && error.code === 'PAYLOAD_TOO_LARGE') return json
    throw error
  })
  const document = await ctx.blobs.prepare(Buffer.from(changed))
  if (document.hash === last.document_blob) return undefined
  return {
    columns: { instruments, duration, measures, tempo_qpm, key_fifths },
    document,
    partUuids: JSON.parse(last.part_uuids),
    source: undefined,
    sourceFormat: undefined,
    warnings: [],
    statistics: { additions: 0, deletions: 0 },
    begunAt: last.created_at,
  }
}

/**
 * Saves the document with the credits that were pending before. Credits that were edited meanwhile stay pending.
 * @returns the id of the last revision
 */
async function saveDocument(
  ctx: Context,
  tx: Transaction,
  { pending_credits: written }: PendingScore,
  { id, owner_id, last_revision_id, pending_credits: stored, modified_at: now }: PendingScore,
  document: NewDocument | undefined,
): Promise<string> {
  const { user } = parsePending(written ?? '')
  const pending_credits = stored === written ? null : stored
  const revision = { id: ctx.newId(), score: id, owner: owner_id, user, now, isChecked: true }
  const saved =
    document && (await insertContents(ctx, tx, document, { ...revision, begunAt: document.begunAt }))
  const last = saved?.id ?? last_revision_id
  if (saved) {
    const objects = { score: id, revision: last }
    await recordEvent(ctx, tx, { user: owner_id, type: 'score.revised', actor: user, objects })
  }
  await updateWrittenCredits(tx, {
    id,
    pending_credits,
    last_revision_id: last,
    more: saved?.stored_bytes ?? 0,
  })
  if (pending_credits !== null) await enqueueWriting(ctx, tx, { id, owner_id })
  return last
}
