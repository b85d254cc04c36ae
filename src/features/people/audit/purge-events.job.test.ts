import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { audit } from './audit.ts'

describeEachDatabase('purge-events', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { auditDays: '30' }, { clock })

  it('deletes events after the number of days in AUDIT_DAYS', async () => {
    const sol = await app.person('sol')
    await app.ctx.transaction((tx) =>
      audit(tx, app.ctx, { organization: null, actor: null, action: 'user.updated', subject: sol.id }),
    )
    const count = async () =>
      (
        await app.ctx.db.read
          .selectFrom('audit_events')
          .select('id')
          .where('subject_id', '=', sol.id)
          .execute()
      ).length
    const before = await count()
    clock.forward(29 * day)
    await app.jobsDone()
    expect([before, await count()]).toEqual([1, 1])
    clock.forward(2 * day)
    await app.jobsDone()
    expect(await count()).toBe(0)
  })
})
