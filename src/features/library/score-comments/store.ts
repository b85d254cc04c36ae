import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreCommentsTable } from '../../../platform/db/score-tables.ts'
import { counterOf } from '../scores/counters.store.ts'
import { listableBy } from '../scores/access.store.ts'

/**
 * Limits of a list, which has no pages: the newest comments, up to a number of comments and of bytes of text.
 */
const listLimits = { comments: 10_000, bytes: 16 * 1024 * 1024 }

/**
 * The columns of a comment. A reply takes its position from the first comment of its thread unless it has its
 * own, and is resolved with the thread.
 */
const columns = [
  'comments.id',
  'comments.score_id',
  'comments.revision_id',
  'comments.user_id',
  'comments.reply_to',
  'comments.comment',
  'comments.raw_comment',
  'comments.mentions',
  sql<string | null>`coalesce(comments.context, threads.context)`.as('context'),
  sql<string | null>`coalesce(comments.resolved_by, threads.resolved_by)`.as('resolved_by'),
  'comments.hidden',
  'comments.created_at',
  'comments.modified_at',
  'threads.user_id as thread_user_id',
  'threads.hidden as thread_hidden',
] as const

const commentById = compiled((db, p: Params<{ score: string; id: string }>) =>
  db
    .selectFrom('score_comments as comments')
    .leftJoin('score_comments as threads', 'threads.id', 'comments.reply_to')
    .where('comments.id', '=', p('id'))
    .where('comments.score_id', '=', p('score'))
    .select(columns),
)

export type CommentRow = Awaited<ReturnType<typeof commentById>>[number]

export async function findComment(
  queries: Queries,
  by: { score: string; id: string },
): Promise<CommentRow | undefined> {
  const [comment] = await commentById(queries, by)
  return comment
}

const newestOfScore = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('score_comments')
        .where('score_id', '=', p('score'))
        .select('id')
        .select(
          sql<number>`sum(octet_length(comment) + octet_length(raw_comment)) over (order by id desc)`.as(
            'bytes',
          ),
        )
        .orderBy('id', 'desc')
        .limit(sql.lit(listLimits.comments))
        .as('newest'),
    )
    .innerJoin('score_comments as comments', 'comments.id', 'newest.id')
    .leftJoin('score_comments as threads', 'threads.id', 'comments.reply_to')
    .where('newest.bytes', '<=', sql.lit(listLimits.bytes))
    .select(columns)
    .orderBy('newest.id', 'desc'),
)

/** Lists the comments on a score, newest first. */
export async function listNewestComments(queries: Queries, score: string): Promise<CommentRow[]> {
  return newestOfScore(queries, { score })
}

const readersAmong = compiled((db, p: Params<{ score: string; ids: readonly string[] }>) =>
  db
    .selectFrom('users')
    .innerJoin('scores', (join) => join.on('scores.id', '=', p('score')))
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where(p.isIn('users.id', 'ids'))
    .where('users.deletion_at', 'is', null)
    .where(listableBy({ viewer: sql.ref('users.id'), organization: sql.ref('users.organization_id') }))
    .select(['users.id', 'users.organization_id', 'organizations.allows_public_scores']),
)

/** Returns those of the users who can read the score without its link. */
export async function listReadersAmong(queries: Queries, score: string, ids: readonly string[]) {
  return ids.length > 0 ? readersAmong(queries, { score, ids }) : []
}

export type MentionRow = Pick<ScoreCommentsTable, 'id' | 'comment' | 'raw_comment' | 'mentions'>

const selectMentions = (queries: Queries) =>
  queries.selectFrom('score_comments').select(['id', 'comment', 'raw_comment', 'mentions'])

/** Lists comments with mentions, ordered by id. */
export async function listMentions(
  queries: Queries,
  { after, limit }: { after: string; limit: number },
): Promise<MentionRow[]> {
  return selectMentions(queries)
    .where(sql<boolean>`mentions <> '[]'`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function listMentionsIn(queries: Queries, ids: readonly string[]): Promise<MentionRow[]> {
  return selectMentions(queries).where('id', 'in', ids).orderBy('id').execute()
}

const changeCommentCount = counterOf('comments')

/** Tells the readers who have the score open. */
const countChange = compiled((db, p: Params<{ score: string }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({ comment_changes: eb('comment_changes', '+', 1) }))
    .where('id', '=', p('score')),
)

const countChangeOf = compiled((db, p: Params<{ comment: string }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({ comment_changes: eb('comment_changes', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb.selectFrom('score_comments').where('id', '=', p('comment')).select('score_id'),
    ),
)

const insertRow = insertion('score_comments')

/** @param isInline whether the comment or its thread has a position; the count of the score omits such comments */
export async function insertComment(
  tx: Transaction,
  comment: ScoreCommentsTable,
  isInline: boolean,
): Promise<void> {
  const { score_id: score } = comment
  await Promise.all([
    insertRow(tx, comment),
    countChange(tx, { score }),
    ...(isInline ? [] : [changeCommentCount(tx, { score, more: 1 })]),
  ])
}

/** Counts the comments on a score that have no position. */
export const recountComments = compiled((db, p: Params<{ score: string }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({
      comments: eb
        .selectFrom('score_comments as counted')
        .leftJoin('score_comments as threads', 'threads.id', 'counted.reply_to')
        .where('counted.score_id', '=', p('score'))
        .where('counted.context', 'is', null)
        .where('threads.context', 'is', null)
        .select((count) => count.fn.countAll<number>().as('count')),
      counts_due_at: sql.lit(0),
      comment_changes: eb('comment_changes', '+', 1),
    }))
    .where('id', '=', p('score')),
)

export type CommentChange = Partial<
  Pick<ScoreCommentsTable, 'revision_id' | 'comment' | 'raw_comment' | 'mentions' | 'context' | 'modified_at'>
>

export async function updateComment(tx: Transaction, id: string, change: CommentChange): Promise<void> {
  await tx.updateTable('score_comments').set(change).where('id', '=', id).execute()
  await countChangeOf(tx, { comment: id })
}

/** Resolves a thread. If it is already resolved, the first resolving user is kept. */
export async function updateResolved(tx: Transaction, thread: string, by: string): Promise<void> {
  await tx
    .updateTable('score_comments')
    .set({ resolved_by: by })
    .where('id', '=', thread)
    .where('resolved_by', 'is', null)
    .execute()
  await countChangeOf(tx, { comment: thread })
}

export async function updateUnresolved(tx: Transaction, thread: string): Promise<void> {
  await tx.updateTable('score_comments').set({ resolved_by: null }).where('id', '=', thread).execute()
  await countChangeOf(tx, { comment: thread })
}

const deleteThread = compiled((db, p: Params<{ id: string }>) =>
  db
    .deleteFrom('score_comments')
    .where((eb) => eb.or([eb('id', '=', p('id')), eb('reply_to', '=', p('id'))])),
)

/** Deletes a comment. If it is the first comment of a thread, its replies are deleted too. */
export async function deleteComment(
  tx: Transaction,
  { id, score_id: score }: Pick<CommentRow, 'id' | 'score_id'>,
): Promise<void> {
  await deleteThread(tx, { id })
  await recountComments(tx, { score })
}

/** Deletes all comments of a user and the replies to them. */
export async function deleteCommentsOf(tx: Transaction, user: string): Promise<void> {
  const comments = await tx
    .selectFrom('score_comments')
    .where('user_id', '=', user)
    .select(['id', 'score_id'])
    .execute()
  for (const { id } of comments) await deleteThread(tx, { id })
  for (const score of new Set(comments.map(({ score_id }) => score_id))) await recountComments(tx, { score })
}
