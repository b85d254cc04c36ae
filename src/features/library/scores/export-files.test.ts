import { beforeAll, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('an export that no engine makes', (databases) => {
  const app = useApp(databases)
  let owner: Person

  beforeAll(async () => {
    owner = await app.person('owner')
  })

  const newScore = async (): Promise<string> =>
    (await owner.post('/scores', { data: musicXml({ parts: ['Flute', 'Viola'] }) })).body.id
  const dataOf = (id: string, format: string, init?: RequestInit) =>
    owner.get(`/scores/${id}/revisions/last/${format}`, init)
  const partNames = (xml: Uint8Array) =>
    [
      ...Buffer.from(xml)
        .toString()
        .matchAll(/<part-name>(.*?)</g),
    ].map(([, name]) => name)

  it.each(['midi', 'xml', 'mxl', 'synchronizationPoints', 'noteTimes'])(
    'is made once as %s for several requests, and not sent again to a client that has it',
    async (format) => {
      const id = await newScore()
      const writing = vi.spyOn(app.ctx.notation, 'write')
      const answers = await Promise.all([dataOf(id, format), dataOf(id, format)])
      const again = await dataOf(id, format)
      expect(writing).toHaveBeenCalledTimes(1)
      writing.mockRestore()
      for (const { bytes } of answers) expect(bytes).toEqual(again.bytes)
      const known = { 'If-None-Match': again.headers.get('etag') ?? '' }
      const { status } = await dataOf(id, format, { headers: known })
      expect(status).toBe(304)
    },
  )

  it('is read once as json', async () => {
    const id = await newScore()
    const opening = vi.spyOn(app.ctx.blobs, 'open')
    const [first, again] = [await dataOf(id, 'json'), await dataOf(id, 'json')]
    expect(opening).toHaveBeenCalledTimes(1)
    opening.mockRestore()
    expect([again.bytes, again.headers.get('etag')]).toEqual([first.bytes, first.headers.get('etag')])
  })

  it('is another file for other parts and for a new revision', async () => {
    const id = await newScore()
    const [{ $uuid: flute }] = (await dataOf(id, 'json')).body['score-partwise'].part
    const [all, one] = [await dataOf(id, 'xml'), await dataOf(id, `xml?parts=${flute}`)]
    expect([partNames(all.bytes), partNames(one.bytes)]).toEqual([['Flute', 'Viola'], ['Flute']])
    await owner.post(`/scores/${id}/revisions`, { data: musicXml({ parts: ['Oboe'] }) })
    expect(partNames((await dataOf(id, 'xml')).bytes)).toEqual(['Oboe'])
  })

  it('is not sent to an account that may not read the score', async () => {
    const id = await newScore()
    expect((await dataOf(id, 'xml')).status).toBe(200)
    const stranger = await app.person('stranger')
    expect((await stranger.get(`/scores/${id}/revisions/last/xml`)).status).toBe(404)
  })

  it('can be kept by a browser for the same account if the revision is named', async () => {
    const id = await newScore()
    const last = await dataOf(id, 'xml')
    expect([last.headers.get('cache-control'), last.headers.get('vary')]).toEqual([
      'private, no-cache',
      'Accept-Encoding',
    ])
    const at = `/scores/${id}/revisions/${last.headers.get('x-flat-score-revision')}`
    const named = await owner.get(`${at}/xml`)
    expect(named.headers.get('cache-control')).toBe('private, max-age=86400, immutable')
    expect(named.headers.get('vary')).toBe('Authorization, Cookie, X-Partita-Client, Accept-Encoding')
    const ofTrack = await owner.get(`${at}/synchronizationPoints?defaultTrack=true`)
    expect(ofTrack.headers.get('cache-control')).toBe('private, no-cache')
  })
})
