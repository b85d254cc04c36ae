import type { Queries } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'

export const insertHistory = insertion('submission_history')

/** The maximum number of history records that are listed. The newest are kept. */
const maxListed = 10_000

/** Returns the history of a submission, oldest record first. */
export async function listHistory(queries: Queries, submission: string) {
  const rows = await queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .selectAll()
    .orderBy('number', 'desc')
    .limit(maxListed)
    .execute()
  return rows.reverse()
}

/**
 * Returns the first score of a submission with the revision that is handed in, or otherwise the current one.
 */
export async function findTurnedInScore(queries: Queries, submission: string) {
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

/** Returns the time of the last reset of a submission, in milliseconds since 1970. */
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
