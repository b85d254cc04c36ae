import type { AccountExport, ExportedList } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'

/** Selects the work of a student, alone and with groups, without drafts of grades. */
const selectSubmissions: ExportedList['query'] = (queries, user, after) =>
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
    .select([
      'id',
      'id as key',
      'assignment_id',
      'class_id',
      'creator_id',
      'group_id',
      'state',
      'grade',
      'max_points',
    ])
    .select(['exercises_ids', 'answers', 'playback', 'created_at', 'submitted_at', 'returned_at'])
    .select((eb) => eb.case().when('grade', 'is not', null).then(eb.ref('rubric')).end().as('rubric'))

const listAttached = (queries: Queries, id: string) =>
  queries
    .selectFrom('submission_attachments')
    .where('submission_id', '=', id)
    .selectAll()
    .orderBy('position')
    .execute()

const listHistory = (queries: Queries, submission: string) =>
  queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .select([
      'number',
      'user_ids',
      'state',
      'grade',
      'max_points',
      'due_at',
      'score_id',
      'revision_id',
      'title',
    ])
    .select('created_at')
    .orderBy('number')
    .execute()

/** Drops the events that only drafted a grade: neither the state nor the grade changed. Students do not see drafts. */
const withoutDrafts = (history: Awaited<ReturnType<typeof listHistory>>) =>
  history.filter((event, index) => {
    const before = history[index - 1]
    return before?.state !== event.state || before.grade !== event.grade
  })

const listComments = (queries: Queries, submission: string) =>
  queries
    .selectFrom('submission_comments')
    .where('submission_id', '=', submission)
    .select(['id', 'user_id', 'comment', 'created_at', 'modified_at'])
    .orderBy('number')
    .execute()

export const accountExport: AccountExport = {
  'submissions.json': {
    description:
      'Your work on assignments, alone or with a group: answers, grades, history, and all comments on it. Grades that a ' +
      'teacher has only drafted are not included.',
    query: selectSubmissions,
    details: async (queries, id) => ({
      attachments: await listAttached(queries, id),
      history: withoutDrafts(await listHistory(queries, id)),
      comments: await listComments(queries, id),
    }),
  },
}
