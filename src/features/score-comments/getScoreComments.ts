import Type from 'typebox'
import { OneOf } from '../../contract/schema.ts'
import { ScoreComment, ScoreCommentType, scoreCommentQuery } from '../../contract/score-comments.ts'
import { operation } from '../../operation.ts'
import { canSeeComment, loadDiscussed } from './policy.ts'
import { presentComment } from './present.ts'
import { listNewestComments } from './store.ts'

export const getScoreComments = operation({
  id: 'getScoreComments',
  tag: 'Score',
  summary: 'List the comments on a score',
  description:
    'For everyone who reads the score, but not by a library alone. The oldest first where nothing is said; of more than ' +
    '10,000, the newest 10,000.',
  scopes: ['scores.readonly', 'scores.social', 'scores'],
  anonymous: true,
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({
    ...scoreCommentQuery.properties,
    type: Type.Optional(ScoreCommentType),
    sort: Type.Optional(OneOf(['date'])),
    direction: Type.Optional(OneOf(['asc', 'desc'])),
  }),
  responses: { 200: Type.Array(ScoreComment) },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query }) {
    const { score, rights } = await loadDiscussed(ctx.db.read, actor, params.score, query.sharingKey)
    const newest = await listNewestComments(ctx.db.read, score.id)
    const comments = newest
      .filter((comment) => canSeeComment(actor, rights, comment))
      .map(presentComment)
      .filter(({ type }) => query.type === undefined || type === query.type)
    return query.direction === 'desc' ? comments : comments.reverse()
  },
})
