import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'
import { recordFailedSignIn } from '../throttling/failed-sign-ins.ts'

const mailServer = useMailServer()

describeEachDatabase('wrong codes of the second factor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings(), { clock })

  it('send one mail a day after the third, and are audited apart from wrong passwords', async () => {
    const email = `guessed-${databases.dialect}@example.com`
    const person = await app.person('person', { email })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ locale: 'de' }).where('id', '=', person.id).execute(),
    )
    await withSecondFactor(app, person)
    const notices = () => mailServer.mails.filter((mail) => mail.includes(`To: ${email}`)).map(readable)
    const guess = async (times: number) => {
      const { browser, page } = await afterPassword(app, person)
      for (let n = 0; n < times; n++) await browser.submit(page, '/auth/second-step', { code: 'wrong' })
      await app.jobsDone()
    }
    // Anyone can cause these records, because they need no password.
    for (let n = 0; n < 10; n++) await app.ctx.transaction((tx) => recordFailedSignIn(app.ctx, tx, person.id))
    await guess(2)
    expect(notices()).toEqual([])
    await guess(8)
    clock.forward(15 * minute)
    await guess(3)
    expect(notices()).toEqual([expect.stringContaining('mehrere falsche Codes eingegeben')])
    const failed = (await auditOf(app, person.id)).filter(({ action }) => action === 'user.sign-in-failed')
    const second = failed.filter(({ details }) => details.step === 'second')
    expect([failed.length, second.length]).toEqual([23, 13])
    clock.forward(24 * 60 * minute)
    await guess(3)
    expect(notices()).toHaveLength(2)
  })
})
