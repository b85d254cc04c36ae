import Type from 'typebox'
import { extension, OneOf } from '../../../contract/schema.ts'
import { ScoreComment, ScoreCommentType, scoreCommentQuery } from '../../../contract/score-comments.ts'
import { operation } from '../../../operation.ts'
import { canSeeComment, loadScoreForComments } from './policy.ts'
import { presentComment } from './present.ts'
import { listNewestComments } from './store.ts'

export const getScoreComments = operation({
  id: 'getScoreComments',
  tag: 'Score',
  summary: 'List the comments on a score',
  description:
    'Every user who can read the score can list its comments, unless the only access is through a ' +
    'resource library. Resolved inline comments are hidden. ' +
    'Sorted by date, oldest first by default. If there are more than 10,000 ' +
    'comments, the newest 10,000 are returned.',
  scopes: ['scores.readonly', 'scores.social', 'scores'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    ...scoreCommentQuery.properties,
    type: Type.Optional(ScoreCommentType),
    sort: Type.Optional(OneOf(['date'])),
    direction: Type.Optional(OneOf(['asc', 'desc'])),
    resolved: Type.Optional(
      Type.Boolean({
        ...extension,
        description: 'Includes the resolved inline comments. This parameter is an extension.',
      }),
    ),
  }),
  responses: { 200: Type.Array(ScoreComment) },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query }) {
    const { score, rights } = await loadScoreForComments(ctx.db.read, actor, params.score, query.sharingKey)
    const newest = await listNewestComments(ctx.db.read, score.id)
    const comments = newest
      .filter((comment) => canSeeComment(actor, rights, comment))
      .map(presentComment)
      .filter(({ type }) => query.type === undefined || type === query.type)
      .filter(({ type, resolved }) => query.resolved || type === 'document' || !resolved)
    return query.direction === 'desc' ? comments : comments.reverse()
  },
})
