import Type from 'typebox'
import { ScoreRevision, ScoreRevisionCreation } from '../../contract/scores.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { contentsOfFile, decodeData, insertContents, largestFileBody } from './contents.ts'
import { canWrite, loadRevision, loadScore } from './policy.ts'
import { presentRevision } from './present.ts'
import { updateScoreContents } from './store.ts'

export const createScoreRevision = operation({
  id: 'createScoreRevision',
  method: 'POST',
  path: '/scores/{score}/revisions',
  tag: 'Score',
  summary: 'Save a new revision of a score',
  description:
    'The file may have any format that a score can be created from. Parts and measures that were in the revision before ' +
    'keep their identities; what was written about the score (title, composer, …) stays as it is.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ScoreRevisionCreation,
  bodyLimit: largestFileBody,
  responses: { 200: ScoreRevision },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body }) {
    let { score } = await loadScore(ctx.db.read, actor, params.score, canWrite)
    const bytes = decodeData(body.data, body.dataEncoding)
    for (;;) {
      const last = await loadRevision(ctx.db.read, score, 'last')
      const previous = await ctx.blobs.read(ctx.db.read, last.document_blob)
      const contents = await contentsOfFile(ctx, bytes, Buffer.from(previous).toString())

      const revision = await ctx.transaction(async (tx) => {
        score = (await loadScore(tx, actor, params.score, canWrite)).score
        if (score.trashed) fail('SCORE_TRASHED')
        // One that was saved meanwhile is the one before this: identities and statistics follow from it.
        if (score.last_revision_id !== last.id) return undefined
        const now = ctx.clock.now()
        const row = await insertContents(ctx, tx, contents, {
          id: ctx.newId(),
          score: score.id,
          user: actor.id,
          now,
          description: body.description,
          autosave: body.autosave,
        })
        await updateScoreContents(tx, score, { ...contents.columns, last_revision_id: row.id, modified_at: now })
        return row
      })
      if (revision) return presentRevision(revision)
    }
  },
})
