import Type from 'typebox'
import { deprecatedWhere } from '../../contract/deprecation.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { fail } from '../../errors.ts'
import { Answer, operation } from '../../operation.ts'
import { putIntoCollection } from '../scores/collection-scores.ts'
import { composeScore } from '../scores/compose.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { openPlace, placingOf } from './policy.ts'

export const addScoreToCollection = operation({
  id: 'addScoreToCollection',
  tag: 'Collection',
  summary: 'Add a score to a collection',
  description:
    'It stays in the others that it is in. It takes the capability `canAddScores` on the collection, and any access to the ' +
    'score: whoever opens it by `sharingKey` keeps it as long as that key opens it. Those who share the collection get no ' +
    'access to the score by this, unless its owner adds it: then they may read it, or change it if they may change the ' +
    'collection.',
  scopes: ['collections', 'collections.add_scores'],
  params: Type.Object({
    collection: Type.String({
      description: 'An id, `app`, or `root` (deprecated), where all of one’s own scores are.',
    }),
    score: Type.String(),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  emptyForm: true,
  responses: { 200: ScoreDetails },
  errors: [403, 404],
  async handle({ ctx, actor, params, query, request }) {
    await ctx.transaction(async (tx) => {
      const place = await openPlace(ctx, tx, placingOf(actor), params.collection)
      const { score, rights } = await loadScore(tx, actor, params.score, canRead, query.sharingKey)
      if (score.trashed) fail('SCORE_TRASHED')
      if (place === undefined) {
        if (score.owner_id !== actor.id) fail('COLLECTION_ACCESS_DENIED', { param: 'collection' })
        return
      }
      const openedByLink = score.privacy === 'privateLink' && !rights.isCollaborator
      await putIntoCollection(tx, place, score, { by: actor.id, key: openedByLink ? score.sharing_key : null })
    })
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const details = await composeScore(ctx, ctx.db.read, actor, loaded, request.locale())
    return new Answer(details, { headers: deprecatedWhere(params.collection === 'root') })
  },
})
