import Type from 'typebox'
import { Collection } from '../../../contract/collections.ts'
import { deprecatedWhere } from '../../../contract/deprecation.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { composeCollection } from './compose.ts'
import { openCollection } from './policy.ts'

export const getCollection = operation({
  id: 'getCollection',
  tag: 'Collection',
  summary: 'Get a collection',
  scopes: ['collections', 'collections.readonly'],
  params: Type.Object({
    collection: Type.String({
      description:
        'An id, or one of `app`, `root` (deprecated), `trash`, `allScores`, `collaborations`, `likes`.',
    }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: Collection },
  errors: [403, 404],
  async handle({ ctx, actor, params, request }) {
    const collection = await openCollection(ctx, actor, params.collection)
    const headers = deprecatedWhere(collection.type === 'root')
    return new Answer(await composeCollection(ctx, actor, collection, request.locale()), { headers })
  },
})
