import Type from 'typebox'
import { extension } from '../../contract/schema.ts'
import { Empty, operation } from '../../operation.ts'
import { canDelete, loadOwnTrack } from './policy.ts'
import { deleteTrack } from './store.ts'

export const deleteScoreTrack = operation({
  id: 'deleteScoreTrack',
  tag: 'Score',
  summary: 'Delete a recording that goes with a score',
  description: 'For those who may change it, and for the administrators of the score. It does not come back.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String(), track: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String(extension)) }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { track } = await loadOwnTrack(tx, actor, { ...params, ...query }, canDelete)
      await deleteTrack(tx, track.id)
    })
  },
})
