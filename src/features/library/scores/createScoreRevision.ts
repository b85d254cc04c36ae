import Type from 'typebox'
import { ScoreRevision, ScoreRevisionCreation } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { operation, type RequestFacts } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import {
  contentsOfFile,
  decodeData,
  insertContents,
  maxFileBodyBytes,
  storedBytesOf,
  storingContents,
} from './contents.ts'
import { onLastRevision } from './document-changes.ts'
import { canWrite, loadScore } from './policy.ts'
import { presentRevision } from './present.ts'
import { findLastRevision, findLockedTemplate, type RevisionRow } from './revisions.store.ts'
import { searchKeyOf } from './search-key.ts'
import { updateScoreContents } from './store.ts'
import { writeOnLast } from './write-credits.ts'

export const createScoreRevision = operation({
  id: 'createScoreRevision',
  tag: 'Score',
  summary: 'Save a new revision of a score',
  description:
    'The file can have any format that a score can be created from. Parts and measures that exist ' +
    'in the previous revision keep their uuids. The metadata of the score (title, composer, …) ' +
    'stays unchanged. If the file has the same JSON form as the last revision and there is no other ' +
    '`description`, no revision is saved, and the response is the last revision. If the ' +
    'score is a copy of a template with `lockScoreTemplate`, all notes of the template must stay as ' +
    'they were (409 `TEMPLATE_LOCKED`, with the measures). Notes may be added, also in place of rests. With the id of a ' +
    'revision in `If-Match`, nothing is saved if the score has a newer one (412 `REVISION_OUTDATED`).',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreRevisionCreation,
  bodyLimit: maxFileBodyBytes,
  responses: { 200: ScoreRevision },
  errors: [402, 403, 404, 409],
  async handle({ ctx, actor, params, body, request }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canWrite)
    const bytes = decodeData(body.data, body.dataEncoding)
    const revision = await onLastRevision(ctx, score.id, request, () =>
      saveOnTopOfLast(ctx, actor, score.id, bytes, body, request),
    )
    return presentRevision(revision)
  },
})

/**
 * Saves a revision on top of the current last revision, from which identities and statistics are derived.
 * Returns the last revision unchanged if the new document equals it and has no new description. Returns undefined if the last revision has
 * changed meanwhile.
 */
async function saveOnTopOfLast(
  ctx: Context,
  actor: Actor,
  id: string,
  bytes: Uint8Array,
  { description, autosave }: ScoreRevisionCreation,
  request: RequestFacts,
): Promise<RevisionRow | undefined> {
  const [last, lockedBlob] = await Promise.all([
    findLastRevision(ctx.db.read, id),
    findLockedTemplate(ctx.db.read, id),
  ])
  if (!last) fail('SCORE_NOT_FOUND')
  if (last.pending_credits !== null) {
    // The credits were edited before the file came, so they have a revision of their own before it.
    await writeOnLast(ctx, id, request)
    return undefined
  }
  const [previous, template] = await Promise.all([
    readDocument(ctx, last.document_blob),
    lockedBlob === undefined ? undefined : readDocument(ctx, lockedBlob),
  ])
  const contents = await contentsOfFile(ctx, bytes, request, { previous, template })
  const save = async (tx: Transaction) => {
    const { score } = await loadScore(tx, actor, id, canWrite)
    if (score.trashed) fail('SCORE_TRASHED')
    if (score.last_revision_id !== last.id) return undefined
    const isNamed = description !== undefined && description !== last.description
    if (contents.document.hash === last.document_blob && !isNamed) return last
    // After the comparison: a client that repeats a request whose answer was lost has what it wanted (RFC 9110, section 13.1.1).
    if (request.ifMatch !== undefined && request.ifMatch !== last.id) fail('REVISION_OUTDATED')
    const now = ctx.clock.now()
    const { owner_id: owner } = score
    const begunAt = last.created_at
    const revision = {
      id: ctx.newId(),
      score: id,
      owner,
      user: actor.id,
      now,
      begunAt,
      description,
      autosave,
    }
    const change = {
      ...contents.columns,
      search_key: searchKeyOf({ ...score, ...contents.columns }),
      last_revision_id: revision.id,
      stored_bytes: storedBytesOf(contents),
      modified_at: now,
    }
    // Sent together, so that the database handles them in one round trip.
    const [row] = await Promise.all([
      insertContents(ctx, tx, contents, revision),
      updateScoreContents(tx, score, change),
      recordEvent(ctx, tx, {
        user: owner,
        type: 'score.revised',
        actor: actor.id,
        objects: { score: id, revision: revision.id },
      }),
    ])
    return row
  }
  return storingContents(ctx, contents, () => ctx.transaction(save))
}

async function readDocument({ blobs, db }: Context, hash: string): Promise<string> {
  return Buffer.from(await blobs.read(db.read, hash)).toString()
}
