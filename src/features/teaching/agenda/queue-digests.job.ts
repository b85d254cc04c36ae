import type { Context } from '../../../context.ts'
import type { MailFrequency } from '../../../contract/mail-frequencies.ts'
import { day, minute } from '../../../lib/durations.ts'
import { latestClockHour } from '../../../lib/zoned-time.ts'
import { job } from '../../../platform/queue/job.ts'
import { listUsersToMail } from '../../people/notifications/mails.store.ts'
import { digestHour, digestWeekday, oldestDays, settleTime } from './digest-times.ts'

const usersAtATime = 100

/**
 * Queues a mail for each user who is due one. Daily and weekly mails are due once their hour has passed since the last run, so that an
 * hour in which the server did not run is made up for.
 */
export const queueDigests = job({
  kind: 'queue-digests',
  every: 5 * minute,
  async handle(ctx, _payload, { signal }) {
    if (!ctx.mailer) return
    const now = ctx.clock.now()
    const last = (await ctx.jobs.lastRun(ctx.db.read, 'queue-digests', now)) ?? 0
    const { timeZone } = ctx.config
    const daily = latestClockHour(now, timeZone, { hour: digestHour })
    const weekly = latestClockHour(now, timeZone, { hour: digestHour, weekday: digestWeekday })
    await queueFor(ctx, 'immediately', now - settleTime, signal)
    if (last < daily) await queueFor(ctx, 'daily', daily, signal)
    if (last < weekly) await queueFor(ctx, 'weekly', weekly, signal)
  },
})

/** Queues the mails of all users with a frequency who have notifications that are at least as old as `until`. */
async function queueFor(
  ctx: Context,
  frequency: MailFrequency,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const since = ctx.clock.now() - oldestDays * day
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted()
    const by = { frequency, since, until, after, limit: usersAtATime }
    const users: string[] = await listUsersToMail(ctx.db.read, by)
    await ctx.transaction(async (tx) => {
      for (const user of users)
        await ctx.jobs.enqueue(tx, { kind: 'send-digest', payload: { user }, key: user })
    })
    after = users[usersAtATime - 1]
  }
}
