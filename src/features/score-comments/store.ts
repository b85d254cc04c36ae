import { sql } from 'kysely'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { ScoreCommentsTable } from '../../db/score-tables.ts'
import { counterOf } from '../scores/counters.ts'
import { listableBy } from '../scores/policy.ts'

/** A list has no pages: so many comments at most, the newest, and as many as come to so many bytes of text. */
const mostListed = { comments: 10_000, bytes: 16 * 1024 * 1024 }

/**
 * A comment and what it has of its thread's first one: a reply is where its thread is, unless it says otherwise, and
 * resolved with it.
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
        .select(sql<number>`sum(octet_length(comment) + octet_length(raw_comment)) over (order by id desc)`.as('bytes'))
        .orderBy('id', 'desc')
        .limit(sql.lit(mostListed.comments))
        .as('newest'),
    )
    .innerJoin('score_comments as comments', 'comments.id', 'newest.id')
    .leftJoin('score_comments as threads', 'threads.id', 'comments.reply_to')
    .where('newest.bytes', '<=', sql.lit(mostListed.bytes))
    .select(columns)
    .orderBy('newest.id', 'desc'),
)

/** The comments on a score, newest first. */
export async function listNewestComments(queries: Queries, score: string): Promise<CommentRow[]> {
  return newestOfScore(queries, { score })
}

const readersAmong = compiled((db, p: Params<{ score: string; ids: readonly string[] }>) =>
  db
    .selectFrom('users')
    .innerJoin('scores', (join) => join.on('scores.id', '=', p('score')))
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('users.id', 'in', p.list('ids'))
    .where('users.deletion_at', 'is', null)
    .where(listableBy({ viewer: sql.ref('users.id'), organization: sql.ref('users.organization_id') }))
    .select(['users.id', 'users.organization_id', 'organizations.allows_public_scores']),
)

/** Those of these users who may read a score without being given its link. */
export async function listReadersAmong(queries: Queries, score: string, ids: readonly string[]) {
  return ids.length > 0 ? readersAmong(queries, { score, ids }) : []
}

/** Comments that mention somebody, in the order of their ids. */
export async function listMentions(
  queries: Queries,
  { after, limit }: { after: string; limit: number },
): Promise<Pick<ScoreCommentsTable, 'id' | 'comment' | 'raw_comment' | 'mentions'>[]> {
  return queries
    .selectFrom('score_comments')
    .select(['id', 'comment', 'raw_comment', 'mentions'])
    .where(sql<boolean>`mentions <> '[]'`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

const addToComments = counterOf('comments')

const insertRow = insertion('score_comments')

export async function insertComment(tx: Transaction, comment: ScoreCommentsTable): Promise<void> {
  await Promise.all([insertRow(tx, comment), addToComments(tx, { score: comment.score_id, more: 1 })])
}

export type CommentChange = Partial<
  Pick<ScoreCommentsTable, 'revision_id' | 'comment' | 'raw_comment' | 'mentions' | 'context' | 'modified_at'>
>

export async function updateComment(tx: Transaction, id: string, change: CommentChange): Promise<void> {
  await tx.updateTable('score_comments').set(change).where('id', '=', id).execute()
}

/** Resolves a thread; who did so first stays the one who did. */
export async function updateResolved(tx: Transaction, thread: string, by: string): Promise<void> {
  await tx
    .updateTable('score_comments')
    .set({ resolved_by: by })
    .where('id', '=', thread)
    .where('resolved_by', 'is', null)
    .execute()
}

export async function updateUnresolved(tx: Transaction, thread: string): Promise<void> {
  await tx.updateTable('score_comments').set({ resolved_by: null }).where('id', '=', thread).execute()
}

const deleteReplies = compiled((db, p: Params<{ thread: string }>) =>
  db.deleteFrom('score_comments').where('reply_to', '=', p('thread')),
)

const deleteRow = compiled((db, p: Params<{ id: string }>) => db.deleteFrom('score_comments').where('id', '=', p('id')))

/** Deletes a comment and, where it is the first one of its thread, those that answer it. */
export async function deleteComment(
  tx: Transaction,
  { id, score_id }: Pick<CommentRow, 'id' | 'score_id'>,
): Promise<void> {
  // The replies first: what the database deletes along with a row, it does not count.
  const [replies, own] = await Promise.all([deleteReplies(tx, { thread: id }), deleteRow(tx, { id })])
  await addToComments(tx, { score: score_id, more: -(replies + own) })
}

/** Deletes all comments of a user, with those that answer them. */
export async function deleteCommentsOf(tx: Transaction, user: string): Promise<void> {
  const comments = await tx
    .selectFrom('score_comments')
    .where('user_id', '=', user)
    .select(['id', 'score_id'])
    .execute()
  for (const comment of comments) await deleteComment(tx, comment)
}
