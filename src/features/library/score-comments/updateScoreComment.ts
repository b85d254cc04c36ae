import {
  ScoreComment,
  ScoreCommentUpdate,
  scoreCommentParams,
  scoreCommentQuery,
} from '../../../contract/score-comments.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { operation } from '../../../operation.ts'
import { checkedRevisionId, serializeContext } from './context.ts'
import { canEditComment, loadComment } from './policy.ts'
import { presentComment } from './present.ts'
import { type CommentChange, recountComments, updateComment } from './store.ts'
import { commentTextsOf } from './texts.ts'

export const updateScoreComment = operation({
  id: 'updateScoreComment',
  tag: 'Score',
  summary: 'Update a comment',
  description:
    'Only the author can update a comment. Fields that are not in the body stay unchanged. A new ' +
    'position must exist in the given revision, which defaults to the last one.',
  scopes: ['scores.social', 'scores'],
  params: scoreCommentParams,
  query: scoreCommentQuery,
  body: ScoreCommentUpdate,
  responses: { 200: ScoreComment },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const load = (queries: Queries) => loadComment(queries, actor, params, canEditComment, query.sharingKey)
    const change: CommentChange = {}
    if (body.context || body.revision !== undefined) {
      const { score, comment } = await load(ctx.db.read)
      const context = body.context ?? (comment.context === null ? undefined : JSON.parse(comment.context))
      change.revision_id = await checkedRevisionId(ctx, score, body.revision, context)
      if (body.context) change.context = serializeContext(body.context)
    }
    const changed = await ctx.transaction(async (tx) => {
      const { score, comment } = await load(tx)
      const hasNewText = body.comment !== undefined || body.rawComment !== undefined
      const texts = hasNewText ? await commentTextsOf(tx, actor, score.id, body) : {}
      const values = { ...change, ...texts, modified_at: ctx.clock.now() }
      await updateComment(tx, comment.id, values)
      if (change.context) await recountComments(tx, { score: score.id })
      return { ...comment, ...values }
    })
    return presentComment(changed)
  },
})
