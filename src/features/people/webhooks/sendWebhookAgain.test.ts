import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { useWebhook } from '../../../../test/support/webhooks.ts'

describeEachDatabase('sendWebhookAgain', (databases) => {
  const hook = useWebhook(databases)

  it('is turned off by 410, with a mail, and can be turned on again and get what it missed', async () => {
    hook.receiver.answer(410)
    await hook.newScore()
    expect(await hook.state()).toMatchObject({ offReason: 'gone' })
    expect(hook.mails().join()).toContain('410')
    await hook.newScore()
    expect(hook.receiver.messages).toHaveLength(1)
    const [delivery, ...none] = await hook.deliveries()
    expect([delivery.state, none]).toEqual(['failed', []])
    const again = `/webhooks/${hook.webhook.id}/deliveries/${delivery.id}/send`
    expect((await hook.own.post(again)).body.code).toBe('WEBHOOK_IS_OFF')
    hook.receiver.answer(200)
    await hook.own.put(`/webhooks/${hook.webhook.id}`, { isOn: true })
    expect((await hook.own.post(again)).status).toBe(200)
    await hook.app.jobsDone()
    expect(hook.receiver.messages.map(({ headers }) => headers['webhook-id'])).toEqual([
      delivery.message,
      delivery.message,
    ])
    expect((await hook.deliveries())[0]).toMatchObject({ state: 'delivered' })
    const missing = await hook.own.post(`/webhooks/${hook.webhook.id}/deliveries/${hook.webhook.id}/send`)
    expect([missing.status, missing.body.code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
  })
})
