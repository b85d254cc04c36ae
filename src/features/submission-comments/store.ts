import { sql } from 'kysely'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { SubmissionCommentsTable } from '../../db/school-tables.ts'

/** How many comments a list has at most, the newest. */
const mostListed = 1000

/** A comment, and whether its viewer has not been shown it yet. */
export type CommentRow = SubmissionCommentsTable & { unread: 0 | 1 }

/** Whether a comment of the outer query, which `readers` is joined to, is new to its viewer: one's own never is. */
const isUnread = (viewer: unknown) => sql<0 | 1>`case
    when submission_comments.user_id <> ${viewer} and submission_comments.number > coalesce(readers.last_read, 0) then 1
    else 0 end`

function selectComments(db: Pick<Queries, 'selectFrom'>, viewer: ReturnType<Params<{ viewer: string }>>) {
  return db
    .selectFrom('submission_comments')
    .leftJoin('submission_readers as readers', (join) =>
      join.onRef('readers.submission_id', '=', 'submission_comments.submission_id').on('readers.user_id', '=', viewer),
    )
}

const counts = compiled((db, p: Params<{ submissions: readonly string[]; viewer: string }>) =>
  selectComments(db, p('viewer'))
    .where('submission_comments.submission_id', 'in', p.list('submissions'))
    .groupBy('submission_comments.submission_id')
    .select((eb) => ['submission_comments.submission_id', eb.fn.countAll<number>().as('total')])
    .select(sql<number>`cast(sum(${isUnread(p('viewer'))}) as bigint)`.as('unread')),
)

/** How many comments each of these submissions has, and how many the viewer has not been shown yet. */
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
    .limit(sql.lit(mostListed)),
)

/** The comments on a submission, the oldest first. */
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

/** Takes the number of the next comment on a submission. */
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

/** Notes that somebody was shown the comments up to this one; never one that came before what was shown already. */
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
