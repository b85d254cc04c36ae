import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { type Actor, Answer, operation } from '../../operation.ts'
import { composeScores } from '../scores/compose.ts'
import { listScores, type ScorePlace } from '../scores/lists.ts'
import { type LoadedCollection, loadCollection } from './policy.ts'

export const listCollectionScores = operation({
  id: 'listCollectionScores',
  tag: 'Collection',
  summary: 'List the scores in a collection',
  description: 'The last changed first, where nothing else is asked for.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String({ description: 'An id, or one of `app`, `root` (deprecated), `trash`, `allScores`.' }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()), ...pagingQuery }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const place = placeOf(actor, await loadCollection(ctx, actor, params.collection))
    const asked = pageRequest(query, 'modificationDate')
    const { rows, cursors } = await listScores(ctx.db.read, actor, place, asked)
    return new Answer(await composeScores(ctx, actor, rows, request.locale()), { cursors })
  },
})

function placeOf(actor: Actor, collection: LoadedCollection): ScorePlace {
  if ('id' in collection) return { in: 'collection', collection: collection.id }
  return { in: collection.type === 'trash' ? 'trash' : 'library', owner: actor.id }
}
