import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { isSignedBy, useWebhook } from '../../../../test/support/webhooks.ts'
import { secretBox } from '../../../platform/secrets/secret-box.ts'
import { updateEndpoint } from './endpoints.store.ts'
import { day, second } from '../../../lib/durations.ts'

describeEachDatabase('renewWebhookSecret', (databases) => {
  const hook = useWebhook(databases)

  it('replaces a secret whose key is missing, and signs with the new one alone', async () => {
    const { app, own, webhook, receiver } = hook
    const otherKey = secretBox(() => [randomBytes(32)])
    const secret = otherKey.seal(randomBytes(24), `webhook ${webhook.id}`)
    await app.ctx.transaction((tx) => updateEndpoint(tx, webhook.id, { secret }))
    const { body: renewed } = await own.post(`/webhooks/${webhook.id}/secret`)
    receiver.messages.length = 0
    await own.post(`/webhooks/${webhook.id}/test`)
    await app.jobsDone()
    const [message] = receiver.messages
    expect(message && isSignedBy(message, renewed.secret)).toBe(true)
  })

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
