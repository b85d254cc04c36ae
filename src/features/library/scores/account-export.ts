import type { AccountExport, ExportedList } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { listSharing } from '../sharing/account-export.ts'

export const selectScores: ExportedList['query'] = (queries, user, after) =>
  queries
    .selectFrom('scores')
    .where('owner_id', '=', user)
    .where('id', '>', after)
    .selectAll()
    .select('id as key')

export const listRevisionsOf = (queries: Queries, score: string) =>
  queries
    .selectFrom('score_revisions')
    .where('score_id', '=', score)
    .select(['id', 'user_id', 'description', 'autosave', 'source_format', 'created_at'])
    .orderBy('id')
    .execute()

/** Counts the scores that the user owns, in the trash or not. */
export const countOwnedScores = async (queries: Queries, user: string): Promise<number> => {
  const { count } = await queries
    .selectFrom('scores')
    .where('owner_id', '=', user)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const accountExport: AccountExport = {
  'likes.json': {
    description: 'The scores that you like.',
    query: (queries, user, after) =>
      queries
        .selectFrom('score_likes')
        .innerJoin('scores', 'scores.id', 'score_likes.score_id')
        .where('score_likes.user_id', '=', user)
        .where('score_likes.score_id', '>', after)
        .select(['score_likes.score_id as id', 'score_likes.score_id as key', 'scores.title'])
        .select('score_likes.created_at'),
  },
  'revisions.json': {
    description: 'The revisions that you have saved of scores of other users.',
    query: (queries, user, after) =>
      queries
        .selectFrom('score_revisions')
        .innerJoin('scores', 'scores.id', 'score_revisions.score_id')
        .where('score_revisions.user_id', '=', user)
        .where('scores.owner_id', '!=', user)
        .where('score_revisions.id', '>', after)
        .select([
          'score_revisions.id',
          'score_revisions.id as key',
          'score_revisions.score_id',
          'scores.title',
        ])
        .select(['score_revisions.description', 'score_revisions.created_at']),
  },
  'scores.json': {
    description:
      'Your scores: metadata, revisions, and with whom you have shared each. The newest revision is in the folder ' +
      '`scores`, in a file named by the id of the score.',
    query: selectScores,
    details: async (queries, id) => ({
      revisions: await listRevisionsOf(queries, id),
      sharedWith: await listSharing(queries, 'score_id', id),
    }),
  },
}
