import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { SubmissionCommentsTable } from '../../../platform/db/school-tables.ts'

/** The maximum number of comments in a list. The newest are kept. */
const maxListed = 1000

/** A comment, and whether it is unread for its viewer. */
export type CommentRow = SubmissionCommentsTable & { unread: 0 | 1 }

/**
 * Whether a comment in the outer query, joined with `readers`, is unread for the viewer. Comments of the
 * viewer are never unread.
 */
const isUnread = (viewer: unknown) => sql<0 | 1>`case
    when submission_comments.user_id <> ${viewer} and submission_comments.number > coalesce(readers.last_read, 0) then 1
    else 0 end`

function selectComments(db: Pick<Queries, 'selectFrom'>, viewer: ReturnType<Params<{ viewer: string }>>) {
  return db
    .selectFrom('submission_comments')
    .leftJoin('submission_readers as readers', (join) =>
      join
        .onRef('readers.submission_id', '=', 'submission_comments.submission_id')
        .on('readers.user_id', '=', viewer),
    )
}

const counts = compiled((db, p: Params<{ submissions: readonly string[]; viewer: string }>) =>
  selectComments(db, p('viewer'))
    .where(p.isIn('submission_comments.submission_id', 'submissions'))
    .groupBy('submission_comments.submission_id')
    .select((eb) => ['submission_comments.submission_id', eb.fn.countAll<number>().as('total')])
    .select(sql<number>`cast(sum(${isUnread(p('viewer'))}) as bigint)`.as('unread')),
)

/** Returns the numbers of all and of unread comments by submission id. */
export async function countComments(
  queries: Queries,
  submissions: readonly string[],
  viewer: string,
): Promise<Map<string, { total: number; unread: number }>> {
  const rows = submissions.length > 0 ? await counts(queries, { submissions, viewer }) : []
  return new Map(rows.map(({ submission_id, total, unread }) => [submission_id, { total, unread }]))
}

const newest = compiled((db, p: Params<{ submission: string; viewer: string }>) =>
  selectComments(db, p('viewer'))
    .where('submission_comments.submission_id', '=', p('submission'))
    .selectAll('submission_comments')
    .select(isUnread(p('viewer')).as('unread'))
    .orderBy('submission_comments.number', 'desc')
    .limit(sql.lit(maxListed)),
)

/** Returns the comments on a submission, oldest first. */
export async function listComments(
  queries: Queries,
  by: { submission: string; viewer: string },
): Promise<CommentRow[]> {
  return (await newest(queries, by)).reverse()
}

const byId = compiled((db, p: Params<{ submission: string; id: string; viewer: string }>) =>
  selectComments(db, p('viewer'))
    .where('submission_comments.id', '=', p('id'))
    .where('submission_comments.submission_id', '=', p('submission'))
    .selectAll('submission_comments')
    .select(isUnread(p('viewer')).as('unread')),
)

export async function findComment(
  queries: Queries,
  by: { submission: string; id: string; viewer: string },
): Promise<CommentRow | undefined> {
  const [comment] = await byId(queries, by)
  return comment
}

/** Increments the comment counter of a submission and returns the number of the next comment. */
export async function nextNumber(tx: Transaction, submission: string): Promise<number> {
  const { last_comment } = await tx
    .updateTable('submissions')
    .set((eb) => ({ last_comment: eb('last_comment', '+', 1) }))
    .where('id', '=', submission)
    .returning('last_comment')
    .executeTakeFirstOrThrow()
  return last_comment
}

export const insertComment = insertion('submission_comments')

export async function updateComment(
  tx: Transaction,
  id: string,
  change: Pick<SubmissionCommentsTable, 'comment' | 'modified_at'>,
): Promise<void> {
  await tx.updateTable('submission_comments').set(change).where('id', '=', id).execute()
}

export async function deleteComment(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('submission_comments').where('id', '=', id).execute()
}

/** Marks the comments up to `number` as read. The stored number never decreases. */
export async function markRead(
  tx: Transaction,
  { submission, user, number }: { submission: string; user: string; number: number },
): Promise<void> {
  await tx
    .insertInto('submission_readers')
    .values({ submission_id: submission, user_id: user, last_read: number })
    .onConflict((conflict) =>
      conflict
        .columns(['submission_id', 'user_id'])
        .doUpdateSet({ last_read: number })
        .where('submission_readers.last_read', '<', number),
    )
    .execute()
}
