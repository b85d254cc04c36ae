import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('getNotificationMails', (databases) => {
  // Nothing is sent.
  const app = useApp(databases, { smtpUrl: 'smtp://127.0.0.1:1' })

  it('has the frequency, and says why an account gets no mails', async () => {
    const mailsOf = async (name: string, email?: string, vouched: 0 | 1 = 1) => {
      const person = await app.person(name, email === undefined ? {} : { email })
      await app.ctx.transaction((tx) =>
        tx.updateTable('users').set({ email_vouched: vouched }).where('id', '=', person.id).execute(),
      )
      return (await internalClient(await signedIn(app, person)).get('/notifications/mails')).body
    }
    expect(await mailsOf('ann')).toEqual({ frequency: 'daily', obstacle: 'no address' })
    expect(await mailsOf('ben', 'ben@example.com')).toEqual({ frequency: 'daily', obstacle: null })
    // Anybody can give this address to an account.
    expect((await mailsOf('cat', 'cat@example.com', 0)).obstacle).toBe('address not confirmed')
  })
})
