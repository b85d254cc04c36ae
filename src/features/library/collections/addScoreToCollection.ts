import Type from 'typebox'
import { deprecatedWhere } from '../../../contract/deprecation.ts'
import { ScoreDetails } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { addToCollection } from '../scores/collection-scores.store.ts'
import { composeScore } from '../scores/compose.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { openTargetCollection, appCallerOf } from './policy.ts'

export const addScoreToCollection = operation({
  id: 'addScoreToCollection',
  tag: 'Collection',
  summary: 'Add a score to a collection',
  description:
    'The score also stays in all its other collections. The caller needs the capability ' +
    '`canAddScores` for the collection, and access to the score. A caller who uses a `sharingKey` ' +
    'has access while that key is valid. Users who share the collection get access to the score ' +
    'only if its owner adds it: readers can then read the score, writers can change it.',
  scopes: ['collections', 'collections.add_scores'],
  params: Type.Object({
    collection: Type.String({
      description: 'An id, `app`, or `root` (deprecated), which contains all scores that the caller owns.',
    }),
    score: Type.String(),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  emptyForm: true,
  responses: { 200: ScoreDetails },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, request }) {
    await ctx.transaction(async (tx) => {
      const collection = await openTargetCollection(ctx, tx, appCallerOf(actor), params.collection)
      const { score, rights } = await loadScore(tx, actor, params.score, canRead, query.sharingKey)
      if (score.trashed) fail('SCORE_TRASHED')
      if (collection === undefined) {
        if (score.owner_id !== actor.id) fail('COLLECTION_ACCESS_DENIED', { param: 'collection' })
        return
      }
      const openedByLink = score.privacy === 'privateLink' && !rights.isCollaborator
      await addToCollection(tx, collection, score, {
        by: actor.id,
        now: ctx.clock.now(),
        key: openedByLink ? score.sharing_key : null,
      })
    })
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const details = await composeScore(ctx, ctx.db.read, actor, loaded, request.locale())
    return new Answer(details, { headers: deprecatedWhere(params.collection === 'root') })
  },
})
