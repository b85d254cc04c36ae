import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { useWebhook } from '../../../../test/support/webhooks.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('changeWebhook', (databases) => {
  const hook = useWebhook(databases)

  it('gets the types that it asked for', async () => {
    await hook.own.put(`/webhooks/${hook.webhook.id}`, { types: ['score.updated'] })
    const { body: score } = await hook.person.post('/scores', emptyPiano())
    await hook.person.put(`/scores/${score.id}`, { description: 'A' })
    await hook.app.jobsDone()
    expect(hook.receiver.messages.map(({ body }) => JSON.parse(body).type)).toEqual(['score.updated'])
  })

  it('is turned off after five days without a success', async () => {
    hook.receiver.answer(500)
    await hook.newScore()
    for (let passed = 0; passed < 6; passed++) {
      hook.clock.forward(day)
      await hook.newScore()
    }
    expect(await hook.state()).toMatchObject({ offReason: 'failing' })
    expect(hook.mails()).toHaveLength(1)
  })
})
