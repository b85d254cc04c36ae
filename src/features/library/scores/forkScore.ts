import Type from 'typebox'
import { ScoreDetails, ScoreFork } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { insertCopy } from '../collections/new-score.ts'
import { appCallerOf, storedTargetOf } from '../collections/policy.ts'
import { copyInlineComments } from '../score-comments/copy-inline-comments.ts'
import { composeWrittenScore } from './compose.ts'
import { titleOf } from './contents.ts'
import { canRead, loadScore } from './policy.ts'

export const forkScore = operation({
  id: 'forkScore',
  tag: 'Score',
  summary: 'Copy a score',
  description:
    'The last revision becomes a private score of the caller, with the original as its ' +
    '`parentScore`. The copy has the musical metadata, the licence and the default track of the ' +
    'original, but not its comments, likes and collaborators. Parts and measures keep their uuids. A ' +
    'copy of a member of an organization also has the newest 1,000 inline comments that the caller ' +
    'can see, with their authors.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  body: ScoreFork,
  responses: { 200: ScoreDetails },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, body, request }) {
    const id = await ctx.transaction(async (tx) => {
      const loaded = await loadScore(tx, actor, params.score, canRead, query.sharingKey)
      const { score: original } = loaded
      if (original.trashed) fail('SCORE_TRASHED')
      const copy = await insertCopy(ctx, tx, appCallerOf(actor), original, {
        title: body.keepOriginalTitle ? original.title : titleOf(`Copy of ${original.title}`),
        collection: storedTargetOf(body.collection),
      })
      if (actor.organization !== undefined) await copyInlineComments(ctx, tx, loaded, copy)
      return copy.score
    })
    return composeWrittenScore(ctx, ctx.db.read, actor, id, request.locale())
  },
})
