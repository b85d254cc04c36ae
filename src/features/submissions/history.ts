import type { Queries } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'

export const insertHistory = insertion('submission_history')

/** The most of a history that is listed, and of it the newest. */
const mostListed = 10_000

/** What happened to a submission, newest last. */
export async function listHistory(queries: Queries, submission: string) {
  const rows = await queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .selectAll()
    .orderBy('number', 'desc')
    .limit(mostListed)
    .execute()
  return rows.reverse()
}

/** The first score of a submission as it is now. */
export async function findTurnedIn(queries: Queries, submission: string) {
  return queries
    .selectFrom('submission_attachments')
    .innerJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .where('submission_attachments.submission_id', '=', submission)
    .select(['scores.id as score_id', 'scores.title'])
    .select((eb) =>
      eb.fn
        .coalesce('handed_in_revision_id', 'submission_attachments.revision_id', 'scores.last_revision_id')
        .as('revision_id'),
    )
    .orderBy('submission_attachments.position')
    .limit(1)
    .executeTakeFirst()
}

/** When a submission was reset last. */
export async function findLastReset(queries: Queries, submission: string): Promise<number | undefined> {
  const row = await queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .where('state', '=', 'reset')
    .select('created_at')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}
