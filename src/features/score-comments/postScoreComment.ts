import Type from 'typebox'
import { ScoreComment, ScoreCommentCreation, scoreCommentQuery } from '../../contract/score-comments.ts'
import type { ScoreCommentsTable } from '../../db/score-tables.ts'
import { unawaited } from '../../db/connection.ts'
import { operation } from '../../operation.ts'
import { checkedRevision, storedContext } from './place.ts'
import { loadAnswered, loadCommentable } from './policy.ts'
import { presentComment } from './present.ts'
import { insertComment } from './store.ts'
import { textsOf } from './texts.ts'

export const postScoreComment = operation({
  id: 'postScoreComment',
  tag: 'Score',
  summary: 'Comment on a score',
  description:
    'For everyone who reads the score, but not by a library alone. With `context` it is about a place in the score, which the revision must have.',
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
      const { score } = await loadCommentable(ctx.db.read, actor, params.score, query.sharingKey)
      checked = await checkedRevision(ctx, score, revision, context)
    }
    const written = await ctx.transaction(async (tx) => {
      const loaded = await loadCommentable(tx, actor, params.score, query.sharingKey)
      const { score } = loaded
      const [answered, texts] = await Promise.all([
        replyTo === undefined ? undefined : loadAnswered(tx, actor, loaded, replyTo),
        textsOf(tx, actor, score.id, body),
      ])
      const comment: ScoreCommentsTable = {
        id: ctx.newId(),
        score_id: score.id,
        revision_id: checked ?? score.last_revision_id,
        user_id: actor.id,
        reply_to: answered ? (answered.reply_to ?? answered.id) : null,
        ...texts,
        context: context ? storedContext(context) : null,
        resolved_by: null,
        hidden: null,
        created_at: ctx.clock.now(),
        modified_at: null,
      }
      unawaited(tx, insertComment(tx, comment))
      return {
        ...comment,
        context: comment.context ?? answered?.context ?? null,
        resolved_by: answered?.resolved_by ?? null,
      }
    })
    return presentComment(written)
  },
})
