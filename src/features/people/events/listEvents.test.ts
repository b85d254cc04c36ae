import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { eventDays } from '../../../contract/event-types.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('listEvents', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  let count = 0
  const twoPeople = async () => {
    count += 1
    return { otto: await app.person(`otto${count}`), tess: await app.person(`tess${count}`) }
  }

  it('returns what happened to the scores of the caller alone, in order, without texts', async () => {
    const { otto, tess } = await twoPeople()
    const { body: score } = await otto.post('/scores', emptyPiano())
    await otto.put(`/scores/${score.id}`, { description: 'Private thoughts' })
    await otto.post(`/scores/${score.id}/collaborators`, { user: tess.id, aclWrite: true })
    const { body: revision } = await tess.post(`/scores/${score.id}/revisions`, { data: musicXml() })
    await otto.delete(`/scores/${score.id}`)
    await otto.post(`/scores/${score.id}/untrash`)
    const { body: events } = await otto.get('/events')
    const url = `${app.ctx.config.publicUrl}/v2/scores/${score.id}`
    const of = (type: string, actor: string, more = {}) => ({
      id: expect.any(String),
      type,
      timestamp: expect.any(String),
      data: { actor, url, score: score.id, ...more },
    })
    expect(events).toEqual([
      of('score.created', otto.id, { revision: expect.any(String) }),
      of('score.updated', otto.id),
      of('score.revised', tess.id, { revision: revision.id }),
      of('score.trashed', otto.id),
      of('score.restored', otto.id),
    ])
    expect((await tess.get('/events')).body).toEqual([])
  })

  it('continues after an event, and filters by type', async () => {
    const { otto, tess } = await twoPeople()
    const { body: score } = await otto.post('/scores', emptyPiano())
    await otto.put(`/scores/${score.id}`, { description: 'A' })
    const [created, updated] = (await otto.get('/events?limit=2')).body
    expect((await otto.get(`/events?after=${created.id}`)).body).toEqual([updated])
    expect((await otto.get(`/events?after=${updated.id}`)).body).toEqual([])
    await otto.put(`/scores/${score.id}`, { description: 'B' })
    const [later, ...none] = (await otto.get(`/events?after=${updated.id}&types=score.updated,score.revised`))
      .body
    expect([later.type, none]).toEqual(['score.updated', []])
    for (const [client, query, code, param] of [
      [tess, `after=${created.id}`, 'INVALID_CURSOR', 'after'],
      [otto, 'after=x', 'INVALID_CURSOR', 'after'],
      [otto, 'types=score.updated,user.created', 'INVALID_PARAMETER', 'types'],
    ] as const) {
      const { status, body } = await client.get(`/events?${query}`)
      expect([status, body.code, body.param]).toEqual([400, code, param])
    }
  })

  it('keeps the order of commits: an event that was recorded before another and committed after it comes later', async () => {
    const { otto } = await twoPeople()
    const early = app.ctx.newId()
    await otto.post('/scores', emptyPiano())
    const [created] = (await otto.get('/events')).body
    await app.ctx.transaction((tx) =>
      tx
        .insertInto('events')
        .values({
          id: early,
          organization_id: null,
          user_id: otto.id,
          type: 'score.updated',
          actor_id: null,
          objects: '{}',
          position: null,
          created_at: clock.now(),
        })
        .execute(),
    )
    const missed = (await otto.get(`/events?after=${created.id}`)).body
    expect(missed.map(({ id }: { id: string }) => id)).toEqual([early])
  })

  it('deletes events after 30 days', async () => {
    const { otto } = await twoPeople()
    await otto.post('/scores', emptyPiano())
    const [created] = (await otto.get('/events')).body
    clock.forward((eventDays + 1) * day)
    await app.jobsDone()
    expect((await otto.get('/events')).body).toEqual([])
    await otto.post('/scores', emptyPiano())
    expect((await otto.get('/events')).body).toHaveLength(1)
    expect((await otto.get(`/events?after=${created.id}`)).body.code).toBe('INVALID_CURSOR')
  })
})
