import type { ScoreModification } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import type { Waiter } from '../../../lib/shared-runs.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { type Contents, insertContents } from './contents.ts'
import { loadRevision } from './policy.ts'
import { type ScoreMetadata, type ScoreRow, updateScoreContents } from './store.ts'

/** Maximum number of attempts when other processes save revisions of the same score at the same time. */
const maxAttempts = 10

/**
 * Runs a change that starts from the last revision of a score. Changes of one score run one after another.
 * @param attempt returns undefined if another process saved a revision meanwhile; it then runs again
 * @throws REVISION_CONFLICT
 */
export async function onLastRevision<Result>(
  ctx: Context,
  score: string,
  waiter: Waiter,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  return ctx.keyedMutex(score, waiter, async () => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const result = await attempt()
      if (result !== undefined) return result
    }
    return fail('REVISION_CONFLICT')
  })
}

/** A changed document with the notes of the last revision. */
export type NewDocument = Contents

/** Writes changed credits into the document of the last revision. Returns undefined if it has them already. */
export async function prepareCredits(
  ctx: Context,
  score: ScoreRow,
  { title, subtitle, composer, lyricist, arranger }: ScoreModification,
  { caller, signal }: Waiter,
): Promise<NewDocument | undefined> {
  const last = await loadRevision(ctx.db.read, score, 'last')
  const json = Buffer.from(await ctx.blobs.read(ctx.db.read, last.document_blob)).toString()
  const credits = { title, subtitle, composer, lyricist, arranger }
  const changed = await ctx.notation.changeCredits(json, credits, { callers: [caller], signal })
  const document = await ctx.blobs.prepare(Buffer.from(changed))
  if (document.hash === last.document_blob) return undefined
  const { instruments, duration, measures, tempo_qpm, key_fifths } = score
  return {
    facts: {
      title: undefined,
      subtitle: undefined,
      composer: undefined,
      lyricist: undefined,
      arranger: undefined,
    },
    columns: { instruments, duration, measures, tempo_qpm, key_fifths },
    document,
    partUuids: JSON.parse(last.part_uuids),
    source: undefined,
    sourceFormat: undefined,
    statistics: { additions: 0, deletions: 0 },
  }
}

/** Saves a document as a new revision. Returns the changed columns of the score. */
export async function insertDocument(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  score: ScoreRow,
  document: NewDocument,
  { search_key, title_key, modified_at: now }: ScoreMetadata,
): Promise<Pick<ScoreRow, 'last_revision_id'>> {
  const { id, owner_id: owner } = score
  const revision = await insertContents(ctx, tx, document, {
    id: ctx.newId(),
    score: id,
    owner,
    user: actor.id,
    now,
  })
  const last_revision_id = revision.id
  await updateScoreContents(
    tx,
    { id, title_key },
    {
      ...document.columns,
      search_key,
      last_revision_id,
      stored_bytes: revision.stored_bytes,
      modified_at: now,
    },
  )
  return { last_revision_id }
}
