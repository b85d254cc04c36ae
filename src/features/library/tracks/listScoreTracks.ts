import Type from 'typebox'
import { ScoreTrack } from '../../../contract/score-tracks.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { loadAnyAssignment } from '../../teaching/assignments/policy.ts'
import { checkMember } from '../../people/organizations/policy.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { filterAssignmentTracks } from '../../teaching/submissions/recordings.ts'
import { trackListViewer } from './policy.ts'
import { presentTrack } from './present.ts'
import { listTracks, type TrackRow } from './store.ts'

export const listScoreTracks = operation({
  id: 'listScoreTracks',
  tag: 'Score',
  summary: 'List the recordings of a score, newest first',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    assignment: Type.Optional(
      Type.String({
        description: 'Lists only the recordings that students made for this assignment, submitted or not.',
      }),
    ),
    listAutoTrack: Type.Optional(
      Type.Boolean({
        description:
          'Would include tracks that the server generated. There are none, so `true` is refused ' +
          '(`TRACKS_NOT_GENERATED`). The playback of the score is its `mp3` export, with the times in ' +
          '`synchronizationPoints`.',
      }),
    ),
  }),
  responses: { 200: Type.Array(ScoreTrack) },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    if (query.listAutoTrack) fail('TRACKS_NOT_GENERATED', { param: 'listAutoTrack' })
    const { score, rights } = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const listed = { score: score.id, ...trackListViewer(rights, actor) }
    const tracks = await listTracks(ctx.db.read, listed)
    const present = (track: TrackRow) => presentTrack(track, ctx.config.publicUrl)
    if (query.assignment === undefined) return tracks.map(present)
    const details = { param: 'assignment' }
    if (!actor) fail('ASSIGNMENT_NOT_FOUND', details)
    const loaded = await loadAnyAssignment(ctx, ctx.db.read, checkMember(actor), query.assignment, details)
    return (await filterAssignmentTracks(ctx.db.read, loaded, score.id, tracks)).map(present)
  },
})
