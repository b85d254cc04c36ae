import type { AssignmentSubmission } from '../../contract/submissions.ts'
import type { Queries } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import type { AssignmentRow } from '../assignments/store.ts'
import type { Standing } from '../classes/policy.ts'
import { countComments } from '../submission-comments/store.ts'
import { canTeach } from './policy.ts'
import { presentSubmission } from './present.ts'
import { listSubmissionAttachments, listSubmissions, type SubmissionRow } from './store.ts'

/** Submissions as they are answered, with two queries however many there are. */
export async function composeSubmissions(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  viewer: { id: string; teaches: (submission: SubmissionRow) => boolean },
  submissions: readonly SubmissionRow[],
): Promise<AssignmentSubmission[]> {
  const ids = submissions.map(({ id }) => id)
  const commented = submissions.filter(({ last_comment }) => last_comment > 0).map(({ id }) => id)
  const [attachments, comments] = await Promise.all([
    listSubmissionAttachments(queries, ids),
    countComments(queries, commented, viewer.id),
  ])
  const now = clock.now()
  return submissions.map((submission) =>
    presentSubmission(submission, {
      attachments: attachments.get(submission.id) ?? [],
      comments: comments.get(submission.id) ?? { total: 0, unread: 0 },
      teaches: viewer.teaches(submission),
      now,
    }),
  )
}

/** One submission to somebody who stands so to its class. */
export async function composeSubmission(
  ctx: Pick<Context, 'clock' | 'db'>,
  viewer: string,
  standing: Standing,
  submission: SubmissionRow,
): Promise<AssignmentSubmission> {
  const seenBy = { id: viewer, teaches: () => canTeach(standing) }
  const [composed] = await composeSubmissions(ctx, ctx.db.read, seenBy, [submission])
  return composed as AssignmentSubmission
}

/** The submissions to these assignments of a class that somebody who stands so to it may see, with three queries. */
export async function composeSubmissionsTo(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  viewer: string,
  standing: Standing,
  assignments: readonly Pick<AssignmentRow, 'id'>[],
): Promise<AssignmentSubmission[]> {
  const teaches = canTeach(standing)
  const ids = assignments.map(({ id }) => id)
  const submissions = await listSubmissions(queries, ids, { viewer, own: !teaches })
  return composeSubmissions(ctx, queries, { id: viewer, teaches: () => teaches }, submissions)
}
