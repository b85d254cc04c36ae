import Type from 'typebox'
import { extension } from '../../../contract/schema.ts'
import { Empty, operation } from '../../../operation.ts'
import { changeStoredBytes, releaseStoredBytes } from '../../people/storage/quota.ts'
import { bytesOfPoints } from './points.ts'
import { canDelete, loadTrackFor } from './policy.ts'
import { deleteTrack } from './store.ts'

export const deleteScoreTrack = operation({
  id: 'deleteScoreTrack',
  tag: 'Score',
  summary: 'Delete a recording of a score',
  description:
    'A user who can change the track and every administrator of the score can delete it. The ' +
    'deletion is permanent.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { track } = await loadTrackFor(tx, actor, { ...params, ...query }, canDelete)
      await deleteTrack(tx, track.id)
      await changeStoredBytes(tx, track.creator_id, -bytesOfPoints(track.points))
      if (track.file_size !== null) await releaseStoredBytes(ctx, tx, track.creator_id, track.file_size)
    })
  },
})
