import Type from 'typebox'
import { scoreCommentParams, scoreCommentQuery } from '../../../contract/score-comments.ts'
import { Empty, operation } from '../../../operation.ts'
import { canDeleteComment, loadComment } from './policy.ts'
import { deleteComment } from './store.ts'

export const deleteScoreComment = operation({
  id: 'deleteScoreComment',
  tag: 'Score',
  summary: 'Delete a comment',
  description:
    'The author of the comment and the administrators of the score can delete it. If the comment ' +
    'starts a thread, its replies are deleted too.',
  scopes: ['scores.social', 'scores'],
  params: scoreCommentParams,
  query: Type.Object({
    ...scoreCommentQuery.properties,
    eventProperties: Type.Optional(Type.String({ description: 'Ignored.' })),
  }),
  emptyForm: true,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { comment } = await loadComment(tx, actor, params, canDeleteComment, query.sharingKey)
      await deleteComment(tx, comment)
    })
  },
})
