import type { Queries } from '../../db/database.ts'

/** Of how many rows a list is read at a time. */
export const portionSize = 200

/** A portion of somebody's rows, those after this key, in the order of it. */
export type ReadPortion = (queries: Queries, user: string, after: string) => Promise<(object & { key: string })[]>

export const readScores: ReadPortion = (queries, user, after) =>
  queries
    .selectFrom('scores')
    .where('owner_id', '=', user)
    .where('id', '>', after)
    .selectAll()
    .select('id as key')
    .orderBy('id')
    .limit(portionSize)
    .execute()

export const listRevisionsOf = (queries: Queries, score: string) =>
  queries
    .selectFrom('score_revisions')
    .where('score_id', '=', score)
    .select(['id', 'user_id', 'description', 'autosave', 'source_format', 'created_at'])
    .orderBy('id')
    .execute()

/** With whom somebody has shared this, by what those are called. */
export const listSharing = (queries: Queries, on: 'score_id' | 'collection_id', id: string) =>
  queries
    .selectFrom('grants')
    .leftJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .where(`grants.${on}`, '=', id)
    .where('users.deletion_at', 'is', null)
    .select(['grants.user_id', 'users.username', 'grants.group_id', 'groups.name as group_name', 'grants.email'])
    .select(['grants.level', 'grants.assignment_id', 'grants.created_at'])
    .orderBy('grants.id')
    .execute()

export const listScoresIn = (queries: Queries, collection: string) =>
  queries
    .selectFrom('collection_scores')
    .innerJoin('scores', 'scores.id', 'collection_scores.score_id')
    .where('collection_id', '=', collection)
    .select(['score_id', 'scores.title'])
    .orderBy('score_id')
    .execute()

export const listAttached = (queries: Queries, on: 'assignment' | 'submission', id: string) =>
  on === 'assignment'
    ? queries
        .selectFrom('assignment_attachments')
        .where('assignment_id', '=', id)
        .selectAll()
        .orderBy('position')
        .execute()
    : queries
        .selectFrom('submission_attachments')
        .where('submission_id', '=', id)
        .selectAll()
        .orderBy('position')
        .execute()

/** What happened to a submission; drafts of grades are not the student's. */
export const listPublicHistory = (queries: Queries, submission: string) =>
  queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .select(['number', 'user_ids', 'state', 'grade', 'max_points', 'due_at', 'score_id', 'revision_id', 'title'])
    .select('created_at')
    .orderBy('number')
    .execute()

export const listCommentsOn = (queries: Queries, submission: string) =>
  queries
    .selectFrom('submission_comments')
    .where('submission_id', '=', submission)
    .select(['id', 'user_id', 'comment', 'created_at', 'modified_at'])
    .orderBy('number')
    .execute()

/** The work of a student, alone or with groups; without drafts of grades. */
export const readSubmissions: ReadPortion = (queries, user, after) =>
  queries
    .selectFrom('submissions')
    .where((eb) =>
      eb.or([
        eb('creator_id', '=', user),
        eb(
          'group_id',
          'in',
          eb.selectFrom('group_members').where('user_id', '=', user).select('group_members.group_id'),
        ),
      ]),
    )
    .where('id', '>', after)
    .select(['id', 'id as key', 'assignment_id', 'class_id', 'creator_id', 'group_id', 'state', 'grade', 'max_points'])
    .select(['exercises_ids', 'answers', 'playback', 'created_at', 'submitted_at', 'returned_at'])
    .select((eb) => eb.case().when('grade', 'is not', null).then(eb.ref('rubric')).end().as('rubric'))
    .orderBy('id')
    .limit(portionSize)
    .execute()

export const readCollections: ReadPortion = (queries, user, after) =>
  queries
    .selectFrom('collections')
    .where('user_id', '=', user)
    .where('id', '>', after)
    .select(['id', 'id as key', 'type', 'app', 'title', 'created_at', 'modified_at', 'deletion_at'])
    .orderBy('id')
    .limit(portionSize)
    .execute()

export const readAssignments: ReadPortion = (queries, user, after) =>
  queries
    .selectFrom('assignments')
    .where('creator_id', '=', user)
    .where('id', '>', after)
    .selectAll()
    .select('id as key')
    .orderBy('id')
    .limit(portionSize)
    .execute()

export const countScoresOf = async (queries: Queries, user: string): Promise<number> => {
  const { count } = await queries
    .selectFrom('scores')
    .where('owner_id', '=', user)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
