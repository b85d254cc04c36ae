import Type from 'typebox'
import { recordingFile } from '../../../answer.ts'
import { recordingMediaTypes } from '../../../lib/recording-type.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { openRecording } from '../../../platform/recordings/recording-files.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { fileOf, loadTrack } from './policy.ts'

export const getScoreTrackFile = operation({
  id: 'getScoreTrackFile',
  tag: 'Score',
  summary: 'Download a recording that the server stores',
  description:
    'Whoever can see the track can download its recording. A request can ask for a part of it with `Range`.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: { files: recordingMediaTypes }, 206: { files: recordingMediaTypes } },
  errors: [403, 404, 416],
  async handle({ ctx, actor, params, query }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const { recording } = fileOf(await loadTrack(ctx.db.read, actor, loaded, params.track))
    return recordingFile(recording, (await openRecording(ctx, recording)) ?? fail('TRACK_NOT_FOUND'))
  },
})
