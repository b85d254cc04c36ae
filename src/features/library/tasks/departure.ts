import type { Departure } from '../../../departure.ts'
import { deleteTasksOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const tasksDeparture: Departure = {
  feature: 'library/tasks',
  exports: accountExport,
  erase: { finish: (_ctx, tx, { user }) => deleteTasksOf(tx, user) },
}
