import Type from 'typebox'
import { Collection } from '../../contract/collections.ts'
import { operation } from '../../operation.ts'
import { composeCollections } from './compose.ts'
import { loadCollection } from './policy.ts'

export const getCollection = operation({
  id: 'getCollection',
  tag: 'Collection',
  summary: 'Get a collection',
  scopes: ['collections', 'collections.readonly'],
  params: Type.Object({
    collection: Type.String({ description: 'An id, or one of `app`, `root` (deprecated), `trash`, `allScores`.' }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: Collection },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const collection = await loadCollection(ctx, actor, params.collection)
    const [presented] = await composeCollections(ctx, actor, [collection])
    return presented as Collection
  },
})
