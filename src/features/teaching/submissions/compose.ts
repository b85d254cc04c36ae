import type { AssignmentSubmission } from '../../../contract/submissions.ts'
import { type MaybeCached, plain } from '../../../lib/cached-json.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import type { AssignmentRow } from '../assignments/store.ts'
import type { ClassRelation } from '../classes/policy.ts'
import { countComments } from '../submission-comments/store.ts'
import { isMissing } from './lifecycle.ts'
import { canTeach } from './policy.ts'
import { presentSubmission } from './present.ts'
import { listPackedAttachments, unpackAttachment } from './attachments.store.ts'
import {
  listPackedSubmissions,
  type PackedSubmission,
  type ShownSubmission,
  unpackSubmission,
} from './packed-rows.store.ts'
import { listSubmissions, type SubmissionRow } from './store.ts'

type Ctx = Pick<Context, 'clock' | 'presentationCache'>

/** Composes submissions for the response, with two queries for any number of submissions. */
export async function composeSubmissions(
  ctx: Ctx,
  queries: Queries,
  viewer: { id: string; teaches: (submission: SubmissionRow) => boolean },
  submissions: readonly SubmissionRow[],
): Promise<MaybeCached<AssignmentSubmission>[]> {
  return compose(ctx, queries, viewer, submissions, (row) => row)
}

/** @param shown returns the presented form of a row; called only if an input has changed */
async function compose<
  Row extends Pick<PackedSubmission, 'id' | 'state' | 'last_comment' | 'due_at' | 'is_excused'>,
>(
  { clock, presentationCache }: Ctx,
  queries: Queries,
  viewer: { id: string; teaches: (submission: Row) => boolean },
  submissions: readonly Row[],
  shown: (row: Row) => ShownSubmission,
): Promise<MaybeCached<AssignmentSubmission>[]> {
  const ids = submissions.map(({ id }) => id)
  const commented = submissions.filter(({ last_comment }) => last_comment > 0).map(({ id }) => id)
  const [attachments, comments] = await Promise.all([
    listPackedAttachments(queries, ids),
    countComments(queries, commented, viewer.id),
  ])
  const now = clock.now()
  return submissions.map((submission) => {
    const attached = attachments.get(submission.id) ?? []
    const { total, unread } = comments.get(submission.id) ?? { total: 0, unread: 0 }
    const teaches = viewer.teaches(submission)
    const missing = submission.is_excused === 0 && isMissing(submission.state, submission.due_at, now)
    const present = () => {
      const around = {
        attachments: attached.map(unpackAttachment),
        comments: { total, unread },
        teaches,
        missing,
      }
      return presentSubmission(shown(submission), around)
    }
    if (submissions.length === 1) return present()
    const inputs: unknown[] = Object.values(submission)
    inputs.push(total, unread, teaches, missing)
    for (const { packed } of attached) inputs.push(packed)
    return presentationCache(`submission ${submission.id} for ${viewer.id}`, inputs, present)
  })
}

/** Composes one submission for a viewer with this relation to its class. */
export async function composeSubmission(
  ctx: Pick<Context, 'clock' | 'db' | 'presentationCache'>,
  viewer: string,
  relation: ClassRelation,
  submission: SubmissionRow,
): Promise<AssignmentSubmission> {
  const visibleTo = { id: viewer, teaches: () => canTeach(relation) }
  const [composed] = await composeSubmissions(ctx, ctx.db.read, visibleTo, [submission])
  return plain(composed as MaybeCached<AssignmentSubmission>)
}

/**
 * Composes the submissions to these assignments of one class that a viewer with this relation may see, with
 * three queries.
 */
export async function composeSubmissionsTo(
  ctx: Pick<Context, 'clock' | 'presentationCache'>,
  queries: Queries,
  viewer: string,
  relation: ClassRelation,
  assignments: readonly Pick<AssignmentRow, 'id' | 'class_id'>[],
): Promise<MaybeCached<AssignmentSubmission>[]> {
  const ids = assignments.map(({ id }) => id)
  if (canTeach(relation)) {
    const all = await listPackedSubmissions(queries, ids)
    return compose(ctx, queries, { id: viewer, teaches: () => true }, all, unpackSubmission)
  }
  const of = { class: assignments[0]?.class_id ?? '', assignments: ids }
  const own = await listSubmissions(queries, of, { viewer, own: true })
  return composeSubmissions(ctx, queries, { id: viewer, teaches: () => false }, own)
}
