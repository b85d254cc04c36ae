import Type from 'typebox'
import { Collection } from '../../../contract/collections.ts'
import { deprecatedWhere } from '../../../contract/deprecation.ts'
import { linkHeader, pageRequest, pagingQuery } from '../../../contract/paging.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { composeCollections } from './compose.ts'
import { listCollectionsOf } from './lists.store.ts'
import { canSee, loadCollection, type VirtualCollection } from './policy.ts'

const virtualCollections: readonly VirtualCollection[] = [
  { type: 'allScores' },
  { type: 'collaborations' },
  { type: 'likes' },
]

const listedParents: ReadonlySet<string> = new Set(['user', 'root', 'sharedWithMe', 'trash'])

export const listCollections = operation({
  id: 'listCollections',
  tag: 'Collection',
  summary: 'List collections',
  description:
    'The virtual collections come first. They are on the first page only and do not count against ' +
    '`limit`. Their titles are in the language of the request.',
  scopes: ['collections', 'collections.readonly'],
  query: Type.Object({
    parent: Type.Optional(
      Type.String({
        default: 'user',
        description:
          '`user` or `trash`. `root` and `sharedWithMe` are deprecated and mean `user`. Any other collection ' +
          'contains no collections.',
      }),
    ),
    ...pagingQuery,
  }),
  responses: { 200: { body: Type.Array(Collection), headers: linkHeader } },
  async handle({ ctx, actor, query, request }) {
    const { parent = 'user' } = query
    const headers = deprecatedWhere(parent === 'root' || parent === 'sharedWithMe')
    if (!listedParents.has(parent)) {
      // Only the trash contains collections.
      if (parent !== 'app') await loadCollection(ctx.db.read, actor, parent, canSee, { param: 'parent' })
      return new Answer([], { headers })
    }
    const list = parent === 'trash' ? 'trash' : 'user'
    const page = await listCollectionsOf(ctx.db.read, actor, list, pageRequest(query, 'creationDate'))
    const virtual = list === 'user' && page.isFirst ? virtualCollections : []
    const collections = await composeCollections(ctx, actor, [...virtual, ...page.rows], request.locale())
    return new Answer(collections, { cursors: page.cursors, headers })
  },
})
