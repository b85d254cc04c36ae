import Type from 'typebox'
import { ScoreRevision } from '../../../contract/scores.ts'
import { operation } from '../../../operation.ts'
import { canRead, loadScore } from './policy.ts'
import { presentRevision } from './present.ts'
import { listRevisions } from './revisions.store.ts'
import { withCreditsWritten } from './write-credits.ts'

export const getScoreRevisions = operation({
  id: 'getScoreRevisions',
  tag: 'Score',
  summary: 'List the revisions of a score, newest first',
  description: 'Returns the latest 10,000 revisions. Older revisions still exist and can be read by id.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: Type.Array(ScoreRevision) },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const { id } = await withCreditsWritten(ctx, score, request)
    const revisions = await listRevisions(ctx.db.read, id)
    return revisions.map(presentRevision)
  },
})
