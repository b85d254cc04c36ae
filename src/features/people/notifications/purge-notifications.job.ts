import { day } from '../../../lib/durations.ts'
import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { deleteNotificationsBefore, deleteSurplus, listUsersWithMore } from './store.ts'
import { keptDays, keptOfAccount } from './limits.ts'

/** Deletes old notifications, and those of an account beyond the newest ones. */
export const purgeNotifications = job({
  kind: 'purge-notifications',
  every: day,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - keptDays * day
    await inBatches(ctx, signal, (tx) => deleteNotificationsBefore(tx, before))
    await inBatches(ctx, signal, async (tx) => {
      const users = await listUsersWithMore(tx, keptOfAccount)
      for (const user of users) await deleteSurplus(tx, user, keptOfAccount)
      return users.length > 0
    })
  },
})
