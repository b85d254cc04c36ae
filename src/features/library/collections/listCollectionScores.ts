import Type from 'typebox'
import { deprecatedWhere } from '../../../contract/deprecation.ts'
import { linkHeader, pageRequest, pagingQuery, type ScoreSort, scoreSorts } from '../../../contract/paging.ts'
import { extension, OneOf } from '../../../contract/schema.ts'
import { ScoreDetails } from '../../../contract/scores.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { composeScores } from '../scores/compose.ts'
import { listScores } from '../scores/lists.store.ts'
import { openCollection, scoreListOf } from './policy.ts'
import { ownerOf } from './store.ts'

export const listCollectionScores = operation({
  id: 'listCollectionScores',
  tag: 'Collection',
  summary: 'List the scores in a collection',
  description:
    'Lists the scores that the caller can read, regardless of who added them. By default the most ' +
    'recently changed score comes first.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String({
      description:
        'An id, or one of `app`, `root` (deprecated), `trash`, `allScores`, `collaborations`, `likes`.',
    }),
  }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    q: Type.Optional(
      Type.String({
        ...extension,
        maxLength: 200,
        description:
          'Words to find in titles, credits and instrument names in any language. Case and accents ' +
          'are ignored. Every word must match. This parameter is an extension.',
      }),
    ),
    composer: Type.Optional(
      Type.String({
        ...extension,
        maxLength: 200,
        description: 'Beginnings of words in the name of the composer. This parameter is an extension.',
      }),
    ),
    instrument: Type.Optional(
      Type.String({
        ...extension,
        maxLength: 200,
        description:
          'Beginnings of words in the names of the instruments, in any language. This parameter is an extension.',
      }),
    ),
    privacy: Type.Optional(
      OneOf(['private', 'privateLink', 'organizationPublic', 'public'], {
        ...extension,
        description: 'Only scores with this privacy. This parameter is an extension.',
      }),
    ),
    owner: Type.Optional(
      OneOf(['me', 'others'], {
        ...extension,
        description: 'Only scores of the caller, or only scores of others. This parameter is an extension.',
      }),
    ),
    ...pagingQuery,
    sort: Type.Optional(
      OneOf(scoreSorts, {
        description:
          'Scores without a composer come last in the order of composers. `composer` and `duration` are extensions.',
      }),
    ),
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const collection = await openCollection(ctx, actor, params.collection)
    const list =
      'id' in collection
        ? ({ in: 'collection', collection: collection.id, owner: ownerOf(collection) } as const)
        : scoreListOf(collection, actor.id)
    const { q: search, composer, instrument, privacy, owner } = query
    const page = {
      ...pageRequest<ScoreSort>(query, 'modificationDate'),
      search,
      composer,
      instrument,
      privacy,
      owner,
    }
    const { cursors, ...listed } = await listScores(ctx.db.read, actor, list, page)
    const scores = await composeScores(ctx, actor, listed, request.locale())
    return new Answer(scores, { cursors, headers: deprecatedWhere(collection.type === 'root') })
  },
})
