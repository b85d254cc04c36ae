import type { SubmissionCommentParams } from '../../../contract/submissions.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { canManage, checkOpen, type ClassRelation } from '../classes/policy.ts'
import { canFollow, type LoadedSubmission, loadSubmission } from '../submissions/policy.ts'
import { type CommentRow, findComment } from './store.ts'

type Predicate = (actor: Actor, relation: ClassRelation, comment: CommentRow) => boolean

export const canEdit: Predicate = (actor, _relation, comment) => comment.user_id === actor.id
/** Teachers can delete every comment, to moderate. */
export const canDelete: Predicate = (actor, relation, comment) =>
  canManage(relation) || canEdit(actor, relation, comment)

/**
 * Loads a comment and checks that `can` permits the actor's action.
 * @throws COMMENT_NOT_FOUND; COMMENT_ACCESS_DENIED when the actor can only read it; CLASS_ARCHIVED; and the
 *   errors of `loadSubmission`
 */
export async function loadComment(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionCommentParams,
  can: Predicate,
): Promise<LoadedSubmission & { comment: CommentRow }> {
  const loaded = await loadSubmission(ctx, queries, actor, path, canFollow)
  const by = { submission: loaded.submission.id, id: path.comment, viewer: actor.id }
  const comment = isId(by.id) ? await findComment(queries, by) : undefined
  if (!comment) fail('COMMENT_NOT_FOUND')
  if (!can(actor, loaded.relation, comment)) fail('COMMENT_ACCESS_DENIED')
  checkOpen(loaded.schoolClass)
  return { ...loaded, comment }
}
