import Type from 'typebox'
import { ScoreDetails } from '../../../contract/scores.ts'
import { operation } from '../../../operation.ts'
import { composeReadScore } from './compose.ts'
import { canRead, loadScore } from './policy.ts'
import { recordView } from './views.store.ts'

export const getScore = operation({
  id: 'getScore',
  tag: 'Score',
  summary: 'Get the details of a score',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: ScoreDetails },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const details = await composeReadScore(ctx, actor, loaded, request.locale())
    recordView(ctx, loaded.score, request.caller)
    return details
  },
})
