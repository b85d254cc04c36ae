import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { useWebhook } from '../../../../test/support/webhooks.ts'

describeEachDatabase('testWebhook', (databases) => {
  const hook = useWebhook(databases)

  it('sends a message of the type webhook.ping, and shows the start of the answer', async () => {
    hook.receiver.answer(200, {}, 'x'.repeat(5000))
    const { body: sent } = await hook.own.post(`/webhooks/${hook.webhook.id}/test`)
    expect(sent).toMatchObject({ state: 'waiting', type: 'webhook.ping' })
    await hook.app.jobsDone()
    expect(await hook.deliveries()).toMatchObject([
      { id: sent.id, message: sent.id, state: 'delivered', response: 'x'.repeat(1024) },
    ])
    expect(hook.receiver.messages.map(({ headers }) => headers['webhook-id'])).toEqual([sent.id])
  })
})
