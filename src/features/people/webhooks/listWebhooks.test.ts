import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { useWebhook } from '../../../../test/support/webhooks.ts'

describeEachDatabase('listWebhooks', (databases) => {
  const hook = useWebhook(databases)

  it('shows since when a webhook fails, and no secret', async () => {
    hook.receiver.answer(500)
    await hook.newScore()
    const webhook = await hook.state()
    expect(webhook).toEqual({
      id: hook.webhook.id,
      url: hook.receiver.url,
      isOfOrganization: false,
      types: [],
      offReason: null,
      failingSince: new Date(hook.clock.now()).toISOString(),
      earlierSecretUntil: null,
      createdAt: expect.any(String),
    })
  })
})
