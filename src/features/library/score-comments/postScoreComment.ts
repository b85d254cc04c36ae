import Type from 'typebox'
import { ScoreComment, ScoreCommentCreation, scoreCommentQuery } from '../../../contract/score-comments.ts'
import type { ScoreCommentsTable } from '../../../platform/db/score-tables.ts'
import { deferredWrite } from '../../../platform/db/connection.ts'
import { operation } from '../../../operation.ts'
import { checkedRevisionId, serializeContext } from './context.ts'
import { loadParentComment, loadScoreForNewComment } from './policy.ts'
import { presentComment } from './present.ts'
import { insertComment } from './store.ts'
import { commentTextsOf } from './texts.ts'

export const postScoreComment = operation({
  id: 'postScoreComment',
  tag: 'Score',
  summary: 'Comment on a score',
  description:
    'Every user who can read the score can comment on it, unless the only access is through a ' +
    'resource library. With `context`, the comment refers to a position in the score. The position ' +
    'must exist in the revision.',
  scopes: ['scores.social', 'scores'],
  params: Type.Object({ score: Type.String() }),
  query: scoreCommentQuery,
  body: ScoreCommentCreation,
  responses: { 200: ScoreComment },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, body }) {
    const { revision, context, replyTo } = body
    let checked: string | undefined
    if (context || (revision !== undefined && revision !== 'last')) {
      const { score } = await loadScoreForNewComment(ctx.db.read, actor, params.score, query.sharingKey)
      checked = await checkedRevisionId(ctx, score, revision, context)
    }
    const written = await ctx.transaction(async (tx) => {
      const loaded = await loadScoreForNewComment(tx, actor, params.score, query.sharingKey)
      const { score } = loaded
      const [answered, texts] = await Promise.all([
        replyTo === undefined ? undefined : loadParentComment(tx, actor, loaded, replyTo),
        commentTextsOf(tx, actor, score.id, body),
      ])
      const comment: ScoreCommentsTable = {
        id: ctx.newId(),
        score_id: score.id,
        revision_id: checked ?? score.last_revision_id,
        user_id: actor.id,
        reply_to: answered ? (answered.reply_to ?? answered.id) : null,
        ...texts,
        context: context ? serializeContext(context) : null,
        resolved_by: null,
        hidden: null,
        created_at: ctx.clock.now(),
        modified_at: null,
      }
      const place = comment.context ?? answered?.context ?? null
      deferredWrite(tx, insertComment(tx, comment, place !== null))
      return {
        ...comment,
        context: place,
        resolved_by: answered?.resolved_by ?? null,
      }
    })
    return presentComment(written)
  },
})
