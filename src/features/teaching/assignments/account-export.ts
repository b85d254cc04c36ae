import type { AccountExport, ExportedList } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'

const selectAssignments: ExportedList['query'] = (queries, user, after) =>
  queries
    .selectFrom('assignments')
    .where('creator_id', '=', user)
    .where('id', '>', after)
    .selectAll()
    .select('id as key')

const listAttached = (queries: Queries, id: string) =>
  queries
    .selectFrom('assignment_attachments')
    .where('assignment_id', '=', id)
    .selectAll()
    .orderBy('position')
    .execute()

export const accountExport: AccountExport = {
  'assignments.json': {
    description: 'The assignments that you have created, in classes and in libraries.',
    query: selectAssignments,
    details: async (queries, id) => ({ attachments: await listAttached(queries, id) }),
  },
  'excused-work.json': {
    description: 'The assignments that you need not do.',
    query: (queries, user, after) =>
      queries
        .selectFrom('assignment_excuses')
        .where('user_id', '=', user)
        .where('assignment_id', '>', after)
        .select(['assignment_id', 'assignment_id as key']),
  },
}
