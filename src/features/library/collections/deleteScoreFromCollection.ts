import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { deleteFromCollection, findAddedBy } from '../scores/collection-scores.store.ts'
import { failScoreNotFound } from '../scores/policy.ts'
import { canDeleteScores, loadStoredCollection, resolveCollection } from './policy.ts'

export const deleteScoreFromCollection = operation({
  id: 'deleteScoreFromCollection',
  tag: 'Collection',
  summary: 'Remove a score from a collection',
  description:
    'The score stays in its other collections and is not deleted. The caller needs the capability ' +
    '`canDeleteScores`. The user who added the score can always remove it, even if the collection ' +
    'is no longer shared with that user.',
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
      const addedBy = await findAddedBy(tx, entry)
      if (addedBy !== actor.id) await loadStoredCollection(tx, actor, id, canDeleteScores)
      if (addedBy === undefined) failScoreNotFound(params.score)
      await deleteFromCollection(tx, entry, ctx.clock.now())
    })
  },
})
