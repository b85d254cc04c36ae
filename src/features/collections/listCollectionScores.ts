import Type from 'typebox'
import { deprecatedWhere } from '../../contract/deprecation.ts'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { extension } from '../../contract/schema.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { Answer, operation } from '../../operation.ts'
import { composeScores } from '../scores/compose.ts'
import { listScores } from '../scores/lists.ts'
import { canSee, loadCollection, placeOf, resolveCollection } from './policy.ts'

export const listCollectionScores = operation({
  id: 'listCollectionScores',
  tag: 'Collection',
  summary: 'List the scores in a collection',
  description:
    'Those that the caller may read, whoever has put them there. The last changed first, where nothing else is asked for.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String({
      description: 'An id, or one of `app`, `root` (deprecated), `trash`, `allScores`, `collaborations`, `likes`.',
    }),
  }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    q: Type.Optional(
      Type.String({
        ...extension,
        maxLength: 200,
        description:
          'What to look for in titles, credits and the names of instruments in any language, whatever the case and the ' +
          'accents: every word must be there. An extension.',
      }),
    ),
    ...pagingQuery,
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    const collection = await loadCollection(ctx.db.read, actor, id, canSee)
    const place =
      'id' in collection ? ({ in: 'collection', collection: collection.id } as const) : placeOf(collection, actor.id)
    const asked = { ...pageRequest(query, 'modificationDate'), search: query.q }
    const { rows, cursors } = await listScores(ctx.db.read, actor, place, asked)
    const scores = await composeScores(ctx, actor, rows, request.locale())
    return new Answer(scores, { cursors, headers: deprecatedWhere(collection.type === 'root') })
  },
})
