import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { isSignedBy, useWebhook } from '../../../../test/support/webhooks.ts'
import { minute } from '../../../lib/durations.ts'

describeEachDatabase('listWebhookDeliveries', (databases) => {
  const hook = useWebhook(databases)

  it('gets an event with the id and the signature that its receiver checks', async () => {
    await hook.newScore()
    const [event] = (await hook.person.get('/events')).body
    expect(
      hook.receiver.messages.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]),
    ).toEqual([[event.id, event]])
    const [message] = hook.receiver.messages
    expect(message && isSignedBy(message, hook.webhook.secret)).toBe(true)
    expect(message && isSignedBy({ ...message, body: `${message.body} ` }, hook.webhook.secret)).toBe(false)
    expect(await hook.deliveries()).toMatchObject([
      {
        message: event.id,
        type: 'score.created',
        state: 'delivered',
        attempts: 1,
        status: 204,
        nextAt: null,
      },
    ])
  })

  it('is tried again later with the same id, no earlier than its receiver asks', async () => {
    hook.receiver.answer(503, { 'Retry-After': '600' }, 'Busy\0')
    await hook.newScore()
    const [failed] = await hook.deliveries()
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1, status: 503, response: 'Busy' })
    expect((await hook.state()).failingSince).not.toBe(null)
    hook.clock.forward(9 * minute)
    await hook.app.jobsDone()
    expect(hook.receiver.messages).toHaveLength(1)
    hook.receiver.answer(200)
    hook.clock.forward(4 * minute)
    await hook.app.jobsDone()
    expect(new Set(hook.receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(hook.receiver.messages).toHaveLength(2)
    expect([(await hook.deliveries())[0].state, (await hook.state()).failingSince]).toEqual([
      'delivered',
      null,
    ])
  })

  it('follows no redirect', async () => {
    hook.receiver.answer(302, { Location: hook.receiver.url })
    await hook.newScore()
    expect(hook.receiver.messages).toHaveLength(1)
    expect(await hook.deliveries()).toMatchObject([{ state: 'waiting', status: 302 }])
  })

  it('gets the messages of a worker that ended while it sent them', async () => {
    await hook.own.post(`/webhooks/${hook.webhook.id}/test`)
    await hook.app.jobsDone()
    const [{ id }] = await hook.deliveries()
    const sent = { state: 'sending', due_at: hook.clock.now() + minute } as const
    await hook.app.ctx.transaction((tx) =>
      tx.updateTable('webhook_deliveries').set(sent).where('id', '=', id).execute(),
    )
    await hook.newScore()
    const [{ message: event }] = await hook.deliveries()
    // Earlier webhooks have the same receiver.
    const ids = () =>
      hook.receiver.messages
        .map(({ headers }) => headers['webhook-id'])
        .filter((one) => one === id || one === event)
    expect(ids()).toEqual([id, event])
    hook.clock.forward(minute)
    await hook.app.jobsDone()
    expect(ids()).toEqual([id, event, id])
  })
})
