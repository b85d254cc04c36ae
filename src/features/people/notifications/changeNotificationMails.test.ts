import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('changeNotificationMails', (app) => {
  it('keeps the choice, and refuses another one by name', async () => {
    const client = internalClient(await signedIn(app, await app.person('ann')))
    for (const frequency of ['weekly', 'off', 'immediately', 'daily']) {
      expect((await client.put('/notifications/mails', { frequency })).status).toBe(204)
      const { body } = await client.get('/notifications/mails')
      expect(body).toEqual({ frequency, obstacle: 'no mail server' })
    }
    const { status, body } = await client.put('/notifications/mails', { frequency: 'hourly' })
    expect([status, body.param]).toEqual([400, 'frequency'])
  })
})
