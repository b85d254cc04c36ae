import Type from 'typebox'
import { ScoreRevision } from '../../../contract/scores.ts'
import { operation } from '../../../operation.ts'
import { canRead, loadScore } from './policy.ts'
import { presentRevision } from './present.ts'
import { openRevision } from './write-credits.ts'

export const getScoreRevision = operation({
  id: 'getScoreRevision',
  tag: 'Score',
  summary: 'Get a revision of a score',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({
    score: Type.String(),
    revision: Type.String({ description: 'The id of a revision, or `last`.' }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: ScoreRevision },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    return presentRevision(await openRevision(ctx, score, params.revision, request))
  },
})
