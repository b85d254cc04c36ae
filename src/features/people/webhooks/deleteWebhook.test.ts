import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { useWebhook } from '../../../../test/support/webhooks.ts'

describeEachDatabase('deleteWebhook', (databases) => {
  const hook = useWebhook(databases)

  it('sends nothing more', async () => {
    await hook.own.put(`/webhooks/${hook.webhook.id}`, { isOn: false })
    await hook.newScore()
    expect((await hook.own.delete(`/webhooks/${hook.webhook.id}`)).status).toBe(204)
    await hook.newScore()
    expect([hook.receiver.messages, await hook.state()]).toEqual([[], undefined])
  })
})
