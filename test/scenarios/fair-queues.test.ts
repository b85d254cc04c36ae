import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import type { Reply } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

/** Sends requests at the same time, and cancels the rest when the test no longer needs them. */
function flood(count: number, send: (index: number, init: RequestInit) => Promise<Reply>) {
  const controller = new AbortController()
  const statuses: number[] = []
  const requests = Array.from({ length: count }, (_, index) =>
    send(index, { signal: controller.signal }).then(({ status }) => statuses.push(status)),
  )
  // The rest is rejected when it is cancelled.
  for (const request of requests) request.catch(() => {})
  return {
    /** The statuses of the responses so far. */
    statuses,
    first: () => Promise.any(requests),
    async cancel() {
      controller.abort()
      await Promise.allSettled(requests)
    },
  }
}

describeEachDatabase('a flood of slow requests', (databases) => {
  const app = useApp(databases)
  const parts = ['Flute', 'Oboe', 'Clarinet', 'Horn', 'Violin', 'Viola', 'Cello', 'Bass']
  const large = (title: string) =>
    musicXml({ title, parts, measures: Array.from({ length: 150 }, () => 'C4 D4 E4 F4') })
  let quiet: Person
  let busy: Person
  let score: string

  beforeAll(async () => {
    ;[quiet, busy] = await Promise.all([app.person('quiet'), app.person('busy')])
    score = (await busy.post('/scores', { data: large('Large'), privacy: 'public' })).body.id
  })

  it('of an anonymous client for pages does not delay the PDF of a user', { timeout: 120_000 }, async () => {
    const { id } = (await quiet.post('/scores', { data: musicXml() })).body
    const pages = flood(8, (index, init) =>
      app.anonymous.get(`/scores/${score}/revisions/last/svg?page=${index + 1}`, init),
    )
    await pages.first()
    expect((await quiet.get(`/scores/${id}/revisions/last/pdf`)).status).toBe(200)
    expect(pages.statuses.length).toBeLessThan(8)
    await pages.cancel()
  })

  it('of one account for imports does not delay the import of another', { timeout: 120_000 }, async () => {
    const uploads = flood(30, (index, init) => busy.post('/scores', { data: large(`${index}`) }, init))
    await uploads.first()
    expect((await quiet.post('/scores', { data: musicXml() })).status).toBe(200)
    expect(uploads.statuses.length).toBeLessThan(15)
    await uploads.cancel()
  })

  it('of one caller gets 503, and requests of others do not', { timeout: 120_000 }, async () => {
    const { id } = (await quiet.post('/scores', { data: musicXml() })).body
    const refusals: Reply[] = []
    const { body } = await busy.get(`/scores/${score}/revisions/last/json`)
    const uuids: string[] = body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)
    const exports = flood(60, async (index, init) => {
      // Each request asks for other parts, so that no two of them share a run.
      const parts = uuids.filter((_, bit) => ((index + 1) >> bit) & 1)
      const reply = await busy.get(`/scores/${score}/revisions/last/pdf?parts=${parts}`, init)
      if (reply.status === 503) refusals.push(reply)
      return reply
    })
    await expect.poll(() => refusals.length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect((await quiet.get(`/scores/${id}/revisions/last/thumbnail.png`)).status).toBe(200)
    const [refusal] = refusals
    expect(refusal?.body).toMatchObject({
      code: 'SERVER_BUSY',
      message: expect.stringContaining('too many requests'),
    })
    expect(refusal?.headers.get('retry-after')).toBe('5')
    await exports.cancel()
  })
})
