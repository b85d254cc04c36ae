import type { AccountExport } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { portionSize, type ReadPortion } from '../../../platform/db/portions.ts'

const readAssignments: ReadPortion = (queries, user, after) =>
  queries
    .selectFrom('assignments')
    .where('creator_id', '=', user)
    .where('id', '>', after)
    .selectAll()
    .select('id as key')
    .orderBy('id')
    .limit(portionSize)
    .execute()

const listAttached = (queries: Queries, id: string) =>
  queries
    .selectFrom('assignment_attachments')
    .where('assignment_id', '=', id)
    .selectAll()
    .orderBy('position')
    .execute()

export const accountExport: AccountExport = {
  'assignments.json': {
    description: 'The assignments that you have made, in classes and in libraries.',
    read: readAssignments,
    details: async (queries, id) => ({ attachments: await listAttached(queries, id) }),
  },
}
