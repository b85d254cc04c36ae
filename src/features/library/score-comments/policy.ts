import type { ScoreCommentParams } from '../../../contract/score-comments.ts'
import type { ResourceRights } from '../../../contract/sharing.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import { canAdminister, canRead, canWrite, type LoadedScore, loadScore } from '../scores/policy.ts'
import { type CommentRow, findComment } from './store.ts'

/**
 * Returns whether a viewer with read access to the score can see a comment. Only its author and
 * administrators of the score can see a hidden comment and the replies to it.
 */
export function canSeeComment(viewer: Viewer, rights: ResourceRights, comment: CommentRow): boolean {
  const isOpen = (hidden: string | null, author: string | null) => hidden === null || author === viewer?.id
  if (canAdminister(rights)) return true
  return isOpen(comment.hidden, comment.user_id) && isOpen(comment.thread_hidden, comment.thread_user_id)
}

type Predicate = (actor: Actor, rights: ResourceRights, comment: CommentRow) => boolean

export const canEditComment: Predicate = (actor, _rights, comment) => comment.user_id === actor.id
export const canDeleteComment: Predicate = (actor, rights, comment) =>
  canEditComment(actor, rights, comment) || canAdminister(rights)
const canResolveComment: Predicate = (_actor, rights) => canWrite(rights)

/**
 * Loads a score for an operation on its comments. Access only through a resource library does not suffice,
 * because such libraries are open to users who do not know each other.
 * @throws as `loadScore` does; SCORE_ACCESS_DENIED
 */
export async function loadScoreForComments(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey: string | undefined,
): Promise<LoadedScore> {
  const loaded = await loadScore(queries, viewer, id, canRead, sharingKey)
  if (loaded.isFromLibrary) fail('SCORE_ACCESS_DENIED')
  return loaded
}

/**
 * Loads a score for an operation that writes comments.
 * @throws as `loadScoreForComments` does; SCORE_TRASHED
 */
export async function loadScoreForNewComment(
  queries: Queries,
  actor: Actor,
  id: string,
  sharingKey: string | undefined,
): Promise<LoadedScore> {
  const loaded = await loadScoreForComments(queries, actor, id, sharingKey)
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return loaded
}

/**
 * Loads a comment on a score.
 * @throws COMMENT_NOT_FOUND if the comment does not exist or the actor cannot see it
 */
async function loadCommentOn(
  queries: Queries,
  actor: Actor,
  { score, rights }: LoadedScore,
  id: string,
  param?: string,
): Promise<CommentRow> {
  const comment = isId(id) ? await findComment(queries, { score: score.id, id }) : undefined
  if (!comment || !canSeeComment(actor, rights, comment)) fail('COMMENT_NOT_FOUND', param ? { param } : {})
  return comment
}

/**
 * Loads the comment that a new comment replies to.
 * @throws COMMENT_NOT_FOUND (`replyTo`)
 */
export async function loadParentComment(
  queries: Queries,
  actor: Actor,
  on: LoadedScore,
  id: string,
): Promise<CommentRow> {
  return loadCommentOn(queries, actor, on, id, 'replyTo')
}

/**
 * Loads a comment with its score and checks that the actor has the required right.
 * @throws as `loadScoreForComments` does; COMMENT_NOT_FOUND; COMMENT_ACCESS_DENIED if the actor does not have
 *   the right;
 *   SCORE_TRASHED
 */
export async function loadComment(
  queries: Queries,
  actor: Actor,
  params: ScoreCommentParams,
  can: Predicate,
  sharingKey: string | undefined,
): Promise<LoadedScore & { comment: CommentRow }> {
  const loaded = await loadScoreForComments(queries, actor, params.score, sharingKey)
  const comment = await loadCommentOn(queries, actor, loaded, params.comment)
  if (!can(actor, loaded.rights, comment)) fail('COMMENT_ACCESS_DENIED')
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return { ...loaded, comment }
}

/**
 * Loads the thread that a comment belongs to, for a change of its resolution.
 * @returns the id of the first comment of the thread
 * @throws as `loadComment` does
 */
export async function loadThreadToResolve(
  queries: Queries,
  actor: Actor,
  params: ScoreCommentParams,
  sharingKey: string | undefined,
): Promise<string> {
  const { comment } = await loadComment(queries, actor, params, canResolveComment, sharingKey)
  return comment.reply_to ?? comment.id
}
