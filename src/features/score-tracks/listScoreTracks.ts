import Type from 'typebox'
import { ScoreTrack } from '../../contract/score-tracks.ts'
import { operation } from '../../operation.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { listedTo } from './policy.ts'
import { presentTrack } from './present.ts'
import { listTracks } from './store.ts'

export const listScoreTracks = operation({
  id: 'listScoreTracks',
  tag: 'Score',
  summary: 'List the recordings that go with a score, newest first',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    assignment: Type.Optional(
      Type.String({
        description: 'Only those that belong to this assignment. None does yet, so the list is then empty.',
      }),
    ),
    listAutoTrack: Type.Optional(
      Type.Boolean({ description: 'Also those that the server has made. It makes none, so this changes nothing.' }),
    ),
  }),
  responses: { 200: Type.Array(ScoreTrack) },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    const { score, rights } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const listed = { score: score.id, ...listedTo(rights, actor) }
    const tracks = query.assignment === undefined ? await listTracks(ctx.db.read, listed) : []
    return tracks.map(presentTrack)
  },
})
