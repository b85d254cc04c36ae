import Type from 'typebox'
import { ScoreTrack } from '../../contract/score-tracks.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { loadAnyAssignment } from '../assignments/policy.ts'
import { checkMember } from '../organizations/policy.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { thatBelongTo } from '../submissions/recordings.ts'
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
        description: 'Only how the students of this assignment have played the score for it, handed in or not yet.',
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
    const tracks = await listTracks(ctx.db.read, listed)
    if (query.assignment === undefined) return tracks.map(presentTrack)
    const details = { param: 'assignment' }
    if (!actor) fail('ASSIGNMENT_NOT_FOUND', details)
    const loaded = await loadAnyAssignment(ctx, ctx.db.read, checkMember(actor), query.assignment, details)
    return (await thatBelongTo(ctx.db.read, loaded, score.id, tracks)).map(presentTrack)
  },
})
