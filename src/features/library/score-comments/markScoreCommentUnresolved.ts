import { scoreCommentParams, scoreCommentQuery } from '../../../contract/score-comments.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadThreadToResolve } from './policy.ts'
import { updateUnresolved } from './store.ts'

export const markScoreCommentUnresolved = operation({
  id: 'markScoreCommentUnresolved',
  tag: 'Score',
  summary: 'Mark the thread of a comment as not resolved',
  description: 'Requires write access to the score.',
  scopes: ['scores.social', 'scores'],
  params: scoreCommentParams,
  query: scoreCommentQuery,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      await updateUnresolved(tx, await loadThreadToResolve(tx, actor, params, query.sharingKey))
    })
  },
})
