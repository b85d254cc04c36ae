import {
  ScoreComment,
  ScoreCommentUpdate,
  scoreCommentParams,
  scoreCommentQuery,
} from '../../contract/score-comments.ts'
import type { Queries } from '../../db/database.ts'
import { operation } from '../../operation.ts'
import { checkedRevision, storedContext } from './place.ts'
import { canEditComment, loadComment } from './policy.ts'
import { presentComment } from './present.ts'
import { type CommentChange, updateComment } from './store.ts'
import { textsOf } from './texts.ts'

export const updateScoreComment = operation({
  id: 'updateScoreComment',
  tag: 'Score',
  summary: 'Change a comment',
  description:
    'For its author. What is not given stays; a new place is one of the revision that is given, else of the last.',
  scopes: ['scores.social', 'scores'],
  params: scoreCommentParams,
  query: scoreCommentQuery,
  body: ScoreCommentUpdate,
  responses: { 200: ScoreComment },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const load = (queries: Queries) => loadComment(queries, actor, params, canEditComment, query.sharingKey)
    const place: CommentChange = {}
    if (body.context || body.revision !== undefined) {
      const { score, comment } = await load(ctx.db.read)
      const context = body.context ?? (comment.context === null ? undefined : JSON.parse(comment.context))
      place.revision_id = await checkedRevision(ctx, score, body.revision, context)
      if (body.context) place.context = storedContext(body.context)
    }
    const changed = await ctx.transaction(async (tx) => {
      const { score, comment } = await load(tx)
      const isReworded = body.comment !== undefined || body.rawComment !== undefined
      const texts = isReworded ? await textsOf(tx, actor, score.id, body) : {}
      const change = { ...place, ...texts, modified_at: ctx.clock.now() }
      await updateComment(tx, comment.id, change)
      return { ...comment, ...change }
    })
    return presentComment(changed)
  },
})
