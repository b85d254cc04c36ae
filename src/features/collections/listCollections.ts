import Type from 'typebox'
import { Collection } from '../../contract/collections.ts'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { Answer, operation } from '../../operation.ts'
import { composeCollections } from './compose.ts'
import { listCollectionsOf } from './lists.ts'
import { loadCollection } from './policy.ts'

export const listCollections = operation({
  id: 'listCollections',
  tag: 'Collection',
  summary: 'List collections',
  description: 'The virtual collection of all scores comes first, on the first page and beyond its `limit`.',
  scopes: ['collections', 'collections.readonly'],
  query: Type.Object({
    parent: Type.Optional(
      Type.String({ default: 'user', description: '`root` and `sharedWithMe` are deprecated and mean `user`.' }),
    ),
    ...pagingQuery,
  }),
  responses: { 200: { body: Type.Array(Collection), headers: linkHeader } },
  async handle({ ctx, actor, query }) {
    // Collections do not nest, and none can be put into the trash yet.
    if (query.parent === 'trash') return new Answer([])
    const { rows, cursors, isFirst } = await listCollectionsOf(
      ctx.db.read,
      actor.id,
      pageRequest(query, 'creationDate'),
    )
    const virtual = isFirst ? [await loadCollection(ctx, actor, 'allScores')] : []
    return new Answer(await composeCollections(ctx, actor, [...virtual, ...rows]), { cursors })
  },
})
