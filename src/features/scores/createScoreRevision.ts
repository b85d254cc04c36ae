import Type from 'typebox'
import { ScoreRevision, ScoreRevisionCreation } from '../../contract/scores.ts'
import { fail } from '../../errors.ts'
import { type Actor, type Context, operation } from '../../operation.ts'
import { contentsOfFile, decodeData, insertContents, largestFileBody } from './contents.ts'
import { canWrite, loadRevision, loadScore } from './policy.ts'
import { presentRevision } from './present.ts'
import type { RevisionRow } from './revisions.ts'
import { searchKeyOf } from './search-key.ts'
import { updateScoreContents } from './store.ts'

/** How often it is tried again when another process saves a revision of the same score in between. */
const mostTries = 10

export const createScoreRevision = operation({
  id: 'createScoreRevision',
  tag: 'Score',
  summary: 'Save a new revision of a score',
  description:
    'The file may have any format that a score can be created from. Parts and measures that were in the revision before ' +
    'keep their identities; what was written about the score (title, composer, …) stays as it is. Where nothing is new, ' +
    'which is where the file comes to the same JSON form as the last revision, no revision is saved and the last one is ' +
    'the answer: as it is, with its own `description` and `autosave`, since revisions do not change.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreRevisionCreation,
  bodyLimit: largestFileBody,
  responses: { 200: ScoreRevision },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canWrite)
    const bytes = decodeData(body.data, body.dataEncoding)
    const revision = await ctx.inTurn(score.id, async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        const saved = await saveAfterLast(ctx, actor, score.id, bytes, body)
        if (saved) return saved
      }
      return fail('REVISION_CONFLICT')
    })
    return presentRevision(revision)
  },
})

/**
 * Saves the revision after the one that is the last now: identities and statistics follow from that one, which is itself
 * the answer where the new one has the same document. Undefined where another process has saved one meanwhile.
 */
async function saveAfterLast(
  ctx: Context,
  actor: Actor,
  id: string,
  bytes: Uint8Array,
  { description, autosave }: ScoreRevisionCreation,
): Promise<RevisionRow | undefined> {
  const before = await loadScore(ctx.db.read, actor, id, canWrite)
  const last = await loadRevision(ctx.db.read, before.score, 'last')
  const previous = await ctx.blobs.read(ctx.db.read, last.document_blob)
  const contents = await contentsOfFile(ctx, bytes, Buffer.from(previous).toString())
  return ctx.transaction(async (tx) => {
    const { score } = await loadScore(tx, actor, id, canWrite)
    if (score.trashed) fail('SCORE_TRASHED')
    if (score.last_revision_id !== last.id) return undefined
    if (contents.document.hash === last.document_blob) return last
    const now = ctx.clock.now()
    const revision = { id: ctx.newId(), score: id, user: actor.id, now, description, autosave }
    const row = await insertContents(ctx, tx, contents, revision)
    const search_key = searchKeyOf({ ...score, ...contents.columns })
    await updateScoreContents(tx, score, {
      ...contents.columns,
      search_key,
      last_revision_id: row.id,
      modified_at: now,
    })
    return row
  })
}
