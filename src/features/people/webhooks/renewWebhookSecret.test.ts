import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { isSignedBy, useWebhook } from '../../../../test/support/webhooks.ts'
import { day, second } from '../../../lib/durations.ts'

describeEachDatabase('renewWebhookSecret', (databases) => {
  const hook = useWebhook(databases)

  it('signs with the secret before a new one for a day', async () => {
    const { body: renewed } = await hook.own.post(`/webhooks/${hook.webhook.id}/secret`)
    expect(renewed.secret).not.toBe(hook.webhook.secret)
    const test = async () => {
      hook.receiver.messages.length = 0
      await hook.own.post(`/webhooks/${hook.webhook.id}/test`)
      await hook.app.jobsDone()
      const [message] = hook.receiver.messages
      expect(JSON.parse(message?.body ?? '').type).toBe('webhook.ping')
      return [renewed.secret, hook.webhook.secret].map((secret) => message && isSignedBy(message, secret))
    }
    expect(await test()).toEqual([true, true])
    hook.clock.forward(day + second)
    expect(await test()).toEqual([true, false])
  })
})
