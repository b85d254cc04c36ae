import type { ScoreCommentParams } from '../../contract/score-comments.ts'
import type { ResourceRights } from '../../contract/sharing.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor, Viewer } from '../../operation.ts'
import { canAdminister, canRead, canWrite, type LoadedScore, loadScore } from '../scores/policy.ts'
import { type CommentRow, findComment } from './store.ts'

/**
 * Whether the viewer may know of a comment on a score that the viewer reads. One that is hidden is for its author and the
 * administrators of the score, and so are the replies to it, which would tell of it.
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
export const canResolveComment: Predicate = (_actor, rights) => canWrite(rights)

/**
 * The score, for someone who takes part in what is said about it: who reads it, but by a library alone. What is there is
 * open to those who do not know each other.
 * @throws as `loadScore` does; SCORE_ACCESS_DENIED
 */
export async function loadDiscussed(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey: string | undefined,
): Promise<LoadedScore> {
  const loaded = await loadScore(queries, viewer, id, canRead, sharingKey)
  if (loaded.isFromLibrary) fail('SCORE_ACCESS_DENIED')
  return loaded
}

/** The same, for someone who may write comments. @throws as `loadDiscussed` does; SCORE_TRASHED */
export async function loadCommentable(
  queries: Queries,
  actor: Actor,
  id: string,
  sharingKey: string | undefined,
): Promise<LoadedScore> {
  const loaded = await loadDiscussed(queries, actor, id, sharingKey)
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return loaded
}

/** A comment on a score that was loaded. @throws COMMENT_NOT_FOUND when there is none that the actor may know of */
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

/** The comment that a new one answers. @throws COMMENT_NOT_FOUND (`replyTo`) */
export async function loadAnswered(queries: Queries, actor: Actor, on: LoadedScore, id: string): Promise<CommentRow> {
  return loadCommentOn(queries, actor, on, id, 'replyTo')
}

/**
 * The comment of a path, for someone who may do this with it.
 * @throws as `loadDiscussed` does; COMMENT_NOT_FOUND; COMMENT_ACCESS_DENIED when it may only be seen; SCORE_TRASHED
 */
export async function loadComment(
  queries: Queries,
  actor: Actor,
  params: ScoreCommentParams,
  can: Predicate,
  sharingKey: string | undefined,
): Promise<LoadedScore & { comment: CommentRow }> {
  const loaded = await loadDiscussed(queries, actor, params.score, sharingKey)
  const comment = await loadCommentOn(queries, actor, loaded, params.comment)
  if (!can(actor, loaded.rights, comment)) fail('COMMENT_ACCESS_DENIED')
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return { ...loaded, comment }
}
