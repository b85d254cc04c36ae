import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { canRead, loadScore } from './policy.ts'
import { recordPlay } from './views.store.ts'

export const recordScorePlay = operation({
  id: 'recordScorePlay',
  tag: 'Score',
  summary: 'Count a play of a score',
  description:
    'For a player that makes the sound itself, after the listener has heard some seconds. A listener counts once an hour, ' +
    'and the owner does not count. The downloads of recordings are counted without this operation.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 204: Empty },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    recordPlay(ctx, score, request.caller)
  },
})
