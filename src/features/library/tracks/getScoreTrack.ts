import Type from 'typebox'
import { ScoreTrack } from '../../../contract/score-tracks.ts'
import { operation } from '../../../operation.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { loadTrack } from './policy.ts'
import { presentTrack } from './present.ts'

export const getScoreTrack = operation({
  id: 'getScoreTrack',
  tag: 'Score',
  summary: 'Get a recording of a score',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: ScoreTrack },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    return presentTrack(await loadTrack(ctx.db.read, actor, loaded, params.track), ctx.config.publicUrl)
  },
})
