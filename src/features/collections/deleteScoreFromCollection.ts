import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { deleteFromCollection, findWhoAdded } from '../scores/collection-scores.ts'
import { failNotFound } from '../scores/policy.ts'
import { canDeleteScores, loadKeptCollection, resolveCollection } from './policy.ts'

export const deleteScoreFromCollection = operation({
  id: 'deleteScoreFromCollection',
  tag: 'Collection',
  summary: 'Take a score out of a collection',
  description:
    'Out of this one only: it is not deleted. It takes the capability `canDeleteScores`; but whoever has put the score ' +
    'there may always take it out, also when the collection is not shared with them any more.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String({ description: 'An id, or `app`.' }),
    score: Type.String(),
  }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    eventProperties: Type.Optional(Type.String({ description: 'Ignored.' })),
  }),
  emptyForm: true,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    await ctx.transaction(async (tx) => {
      const entry = { collection: id, score: params.score }
      const addedBy = await findWhoAdded(tx, entry)
      if (addedBy !== actor.id) await loadKeptCollection(tx, actor, id, canDeleteScores)
      if (addedBy === undefined) failNotFound(params.score)
      await deleteFromCollection(tx, entry)
    })
  },
})
