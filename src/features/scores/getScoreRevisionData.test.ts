import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import type { Client } from '../../../test/support/client.ts'
import { minute, testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { base64, musicXml } from '../../../test/support/scores.ts'
import { newTrack } from '../../../test/support/tracks.ts'
import { Failure } from '../../errors.ts'
import { readMxl } from '../../music/mxl.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

const partNames = (xml: Uint8Array) => [...text(xml).matchAll(/<part-name>(.*?)</g)].map(([, name]) => name)

describeEachDatabase('getScoreRevisionData', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let tess: Person
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    score = await newScore({ title: 'Trio' })
  })

  const newScore = async (fields = {}): Promise<string> =>
    (await tess.post('/scores', { data: musicXml({ parts: ['Flute', 'Violin', 'Cello'] }), ...fields })).body.id
  const dataOf = (id: string, format: string) => tess.get(`/scores/${id}/revisions/last/${format}`)
  const partsOf = async (id: string): Promise<string[]> =>
    (await dataOf(id, 'json')).body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)

  it.each<[string, string, string, (bytes: Uint8Array) => void]>([
    [
      'json',
      'application/json',
      'Trio.json',
      (bytes) => expect(JSON.parse(text(bytes))['score-partwise'].part).toHaveLength(3),
    ],
    [
      'xml',
      'application/vnd.recordare.musicxml+xml',
      'Trio.musicxml',
      (bytes) => expect(text(bytes)).toMatch(/^<\?xml[\s\S]*<score-partwise[\s\S]*<part-name>Cello/),
    ],
    [
      'mxl',
      'application/vnd.recordare.musicxml',
      'Trio.mxl',
      async (bytes) => expect(text(await readMxl(bytes))).toContain('<part-name>Cello'),
    ],
    ['midi', 'audio/midi', 'Trio.mid', (bytes) => expect(text(bytes)).toMatch(/^MThd/)],
    [
      'synchronizationPoints',
      'application/json',
      'Trio.sync.json',
      (bytes) => expect(JSON.parse(text(bytes)).at(-1)).toMatchObject({ type: 'end', time: 2 }),
    ],
    ['svg', 'image/svg+xml', 'Trio.svg', (bytes) => expect(text(bytes)).toMatch(/^<\?xml[\s\S]*<svg/)],
    ['pdf', 'application/pdf', 'Trio.pdf', (bytes) => expect(text(bytes)).toMatch(/^%PDF-/)],
    ['thumbnail.png', 'image/png', 'Trio.png', (bytes) => expect(text(bytes)).toMatch(/^.PNG\r\n/)],
    ['wav', 'audio/wav', 'Trio.wav', (bytes) => expect(text(bytes)).toMatch(/^RIFF[\s\S]{4}WAVEfmt /)],
    ['mp3', 'audio/mp3', 'Trio.mp3', (bytes) => expect(mp3Frame(bytes)).toBe(true)],
  ])('gives %s as %s under the name %s', async (format, mediaType, name, check) => {
    const { status, headers, bytes } = await dataOf(score, format)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(mediaType)
    expect(nameIn(headers)).toBe(name)
    await check(bytes)
  })

  it('says in its headers of which revision it is', async () => {
    const { headers } = await dataOf(score, 'xml')
    const last = (await tess.get(`/scores/${score}/revisions/last`)).body
    expect(headers.get('x-flat-score-revision')).toBe(last.id)
    expect(headers.get('x-flat-score-revision-date')).toBe(last.date)
  })

  it('lets no browser run on our origin what is in a file', async () => {
    const { headers } = await dataOf(score, 'xml')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  it('gives back what was sent: every element and attribute', async () => {
    const sent = musicXml({ title: 'As <it> is & was' })
    const id = await newScore({ data: sent })
    const again = (await tess.post('/scores', { data: text((await dataOf(id, 'xml')).bytes) })).body.id
    expect((await dataOf(again, 'xml')).bytes).toEqual((await dataOf(id, 'xml')).bytes)
    expect(text((await dataOf(id, 'xml')).bytes)).toContain('<work-title>As &lt;it&gt; is &amp; was</work-title>')
  })

  describe('the name of the file', () => {
    it.each([
      ['Ständchen', 'Ständchen.musicxml'],
      ['夜の歌 🎵', '夜の歌 🎵.musicxml'],
      ['a "quoted" title; filename=evil.exe', 'a quoted title; filename=evil.exe.musicxml'],
      ['two\r\nlines: Set-Cookie', 'two lines Set-Cookie.musicxml'],
      ['../../etc/passwd', '.. .. etc passwd.musicxml'],
      ['right\u202eto left', 'right to left.musicxml'],
      ['100% (sure)* it’s \\n', '100% (sure) it’s n.musicxml'],
      ['///', 'score.musicxml'],
    ])('is safe for the title %j', async (title, expected) => {
      const id = await newScore({ title })
      const { status, headers } = await dataOf(id, 'xml')
      expect(status).toBe(200)
      expect(nameIn(headers)).toBe(expected)
      // For clients that do not know RFC 8187: ASCII without anything that could end the quotes.
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[^"; ]+$/)
      expect(headers.has('set-cookie')).toBe(false)
    })

    it('fits into every file system, however long the title', async () => {
      for (const title of ['x'.repeat(1000), '夜'.repeat(1000), '🎵'.repeat(500)]) {
        const name = nameIn((await dataOf(await newScore({ title }), 'xml')).headers)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(name).toMatch(/^(x+|夜+|🎵+)\.musicxml$/u)
      }
    })
  })

  describe('parts', () => {
    it('leaves only those that are asked for, in score order', async () => {
      const [flute, violin, cello] = await partsOf(score)
      const { status, bytes } = await dataOf(score, `xml?parts=${cello},${flute}`)
      expect(status).toBe(200)
      expect(partNames(bytes)).toEqual(['Flute', 'Cello'])
      const { body } = await dataOf(score, `json?parts=${violin}`)
      expect(body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)).toEqual([violin])
    })

    it('that are unknown are an error and not an empty file', async () => {
      const [flute] = await partsOf(score)
      for (const parts of ['00000000-0000-4000-8000-000000000000', `${flute},nonsense`, 'P1']) {
        const { status, body } = await dataOf(score, `xml?parts=${parts}`)
        expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'parts'])
      }
    })

    it('may be many', async () => {
      const names = Array.from({ length: 150 }, (_, i) => `Violin ${i}`)
      const id = await newScore({ data: musicXml({ parts: names }) })
      const parts = (await partsOf(id)).slice(0, 120).join(',')
      const { status, body } = await dataOf(id, `xml?url=true&parts=${parts}`)
      expect(status).toBe(200)
      expect(partNames(await fileAt(body.url))).toEqual(names.slice(0, 120))
    })
  })

  describe('url', () => {
    it('gives an address of the file that needs no token', async () => {
      const { status, headers, body } = await dataOf(score, 'xml?url=true')
      expect(status).toBe(200)
      expect(headers.get('x-flat-score-revision')).toMatch(/^[0-9a-f]{24}$/)
      expect(Object.keys(body)).toEqual(['url'])
      expect(body.url.startsWith(`${app.url}/`)).toBe(true)
      const response = await fetch(body.url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/vnd.recordare.musicxml+xml')
      expect(nameIn(response.headers)).toBe('Trio.musicxml')
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      const { bytes } = await dataOf(score, 'xml')
      expect(response.headers.get('content-length')).toBe(String(bytes.length))
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    })

    it('holds for 15 minutes', async () => {
      const { url } = (await dataOf(score, 'mxl?url=true')).body
      clock.forward(15 * minute - 1000)
      expect((await fetch(url)).status).toBe(200)
      clock.forward(2000)
      const late = await fetch(url)
      expect(late.status).toBe(404)
      expect(await late.json()).toMatchObject({ code: 'NOT_FOUND' })
    })

    it('is good for this file alone: nothing in it can be changed', async () => {
      const url = (await dataOf(score, 'xml?url=true')).body.url as string
      const [payload = '', signature = ''] = url.slice(url.lastIndexOf('/') + 1).split('.')
      const [blob, name, , expires] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const forged = base64url(JSON.stringify([blob, name, 'text/html', expires]))
      for (const token of [`${forged}.${signature}`, payload, `${payload}.`, `.${signature}`, 'x.y', '', '%00']) {
        expect((await fetch(`${app.url}/files/${token}`)).status).toBe(404)
      }
    })
  })

  it('makes what takes long once, and gives it out again', async () => {
    const id = await newScore()
    const [first, second] = [await dataOf(id, 'svg'), await dataOf(id, 'svg')]
    expect(second.bytes).toEqual(first.bytes)
    const revision = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    const kept = await app.ctx.db.read
      .selectFrom('score_exports')
      .select('variant')
      .where('revision_id', '=', revision)
      .execute()
    expect(kept).toEqual([{ variant: 'svg' }])
  })

  it('makes once what several ask for at the same time', async () => {
    const id = await newScore()
    const writing = vi.spyOn(app.ctx.notation, 'write')
    const answers = await Promise.all(Array.from({ length: 4 }, () => dataOf(id, 'svg')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(writing).toHaveBeenCalledTimes(1)
    writing.mockRestore()
  })

  it('gives out what it made also where that cannot be kept, but no address of it', async () => {
    const id = await newScore()
    const full = vi.spyOn(app.ctx.blobs, 'prepare').mockRejectedValue(new Failure('STORAGE_UNAVAILABLE'))
    const { status, bytes } = await dataOf(id, 'svg')
    expect(status).toBe(200)
    expect((await dataOf(id, 'svg?url=true')).body.code).toBe('STORAGE_UNAVAILABLE')
    full.mockRestore()
    const { body } = await dataOf(id, 'svg?url=true')
    expect(await fileAt(body.url)).toEqual(bytes)
  })

  it('sends a large file whole, though in pieces, and says before how large it is', async () => {
    const id = await newScore({ data: musicXml({ measures: Array.from({ length: 10 }, () => 'C4 D4 E4 F4') }) })
    const { status, headers, bytes } = await dataOf(id, 'wav')
    expect(status).toBe(200)
    expect(bytes.length).toBeGreaterThan(2_000_000)
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(Buffer.from(bytes).readUInt32LE(4)).toBe(bytes.length - 8)
    const head = await tess.request('HEAD', `/scores/${id}/revisions/last/wav`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  })

  describe('page', () => {
    it('gives the pages of an svg one by one', async () => {
      const id = await newScore({ data: musicXml({ measures: Array.from({ length: 200 }, () => 'C4 D4 E4 F4') }) })
      const [first, again, second] = [
        await dataOf(id, 'svg'),
        await dataOf(id, 'svg?page=1'),
        await dataOf(id, 'svg?page=2'),
      ]
      expect(again.bytes).toEqual(first.bytes)
      expect(second.status).toBe(200)
      expect(text(second.bytes)).toMatch(/^<\?xml[\s\S]*<svg/)
      expect(second.bytes).not.toEqual(first.bytes)
      expect((await dataOf(id, 'svg?page=2')).bytes).toEqual(second.bytes)
    })

    it.each(['0', '-1', '1.5', 'two', '1000'])('that is not there is an error: %s', async (page) => {
      const { status, body } = await dataOf(score, `svg?page=${page}`)
      expect([status, body.param]).toEqual([400, 'page'])
    })
  })

  describe('the synchronization points of the default track', () => {
    const points = JSON.stringify([{ type: 'end', time: 42 }])
    const asked = 'synchronizationPoints?defaultTrack=true'
    const pointsOf = async (id: string, query = asked, by: Client = tess) =>
      text((await by.get(`/scores/${id}/revisions/last/${query}`)).bytes)

    it('stand for those of the playback when they are asked for', async () => {
      const id = await newScore()
      await newTrack(app, id, { points: JSON.stringify([{ type: 'end', time: 1 }]) })
      const ofPlayback = await pointsOf(id, 'synchronizationPoints')
      expect(await pointsOf(id)).toBe(ofPlayback)
      await newTrack(app, id, { points, is_default: 1 })
      expect(await pointsOf(id)).toBe(points)
      expect(await pointsOf(id, 'synchronizationPoints')).toBe(ofPlayback)
      expect(await pointsOf(id, 'synchronizationPoints?defaultTrack=false')).toBe(ofPlayback)
      expect(await pointsOf(id, 'xml?defaultTrack=true')).toBe(await pointsOf(id, 'xml'))
    })

    it('are those of the playback where the track has none', async () => {
      const id = await newScore()
      await newTrack(app, id, { is_default: 1 })
      expect(await pointsOf(id)).toBe(await pointsOf(id, 'synchronizationPoints'))
    })

    it('are for those who may see the track', async () => {
      const id = await newScore({ privacy: 'organizationPublic' })
      await newTrack(app, id, { points, is_default: 1, state: 'draft' })
      expect(await pointsOf(id, asked, people.sam)).toBe(await pointsOf(id, 'synchronizationPoints'))
      expect(await pointsOf(id)).toBe(points)
    })

    it('may be had by an address, which is another one when they have changed', async () => {
      const id = await newScore()
      const track = await newTrack(app, id, { points, is_default: 1 })
      const addressOf = async () => JSON.parse(await pointsOf(id, `${asked}&url=true`)).url
      expect(text(await fileAt(await addressOf()))).toBe(points)
      const changed = [{ type: 'end', time: 43 }]
      await tess.put(`/scores/${id}/tracks/${track}`, { synchronizationPoints: changed })
      expect(text(await fileAt(await addressOf()))).toBe(JSON.stringify(changed))
    })
  })

  it.each(['flat', 'docx', 'XML', 'xml.exe'])('does not have the format %s', async (format) => {
    const { status, body } = await dataOf(score, format)
    expect([status, body.param]).toEqual([400, 'format'])
  })

  it('makes recordings of more than 15 minutes by a task only', async () => {
    const measures = Array.from({ length: 460 }, () => 'C4 D4 E4 F4')
    const id = await newScore({ data: musicXml({ measures }) })
    expect((await tess.get(`/scores/${id}`)).body.durationTime).toBeGreaterThan(900)
    for (const format of ['mp3', 'wav']) {
      const { status, body } = await dataOf(id, format)
      expect([status, body.code]).toEqual([409, 'EXPORT_NEEDS_TASK'])
    }
    // It is the revision that is long, whatever the score has become since.
    const long = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    await tess.post(`/scores/${id}/revisions`, { data: musicXml() })
    expect((await tess.get(`/scores/${id}/revisions/${long}/wav`)).body.code).toBe('EXPORT_NEEDS_TASK')
    expect((await dataOf(id, 'wav')).status).toBe(200)
  })

  it('gives every revision its own', async () => {
    const id = await newScore({ data: musicXml({ measures: ['C4 D4 E4 F4'] }) })
    const first = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    await tess.post(`/scores/${id}/revisions`, {
      data: base64(musicXml({ measures: ['G4 G4 G4 G4'] })),
      dataEncoding: 'base64',
    })
    expect(text((await tess.get(`/scores/${id}/revisions/${first}/xml`)).bytes)).not.toContain('<step>G</step>')
    expect(text((await dataOf(id, 'xml')).bytes)).toContain('<step>G</step>')
    const { status, body } = await tess.get(`/scores/${id}/revisions/0123456789abcdef01234567/xml`)
    expect([status, body.code]).toEqual([404, 'REVISION_NOT_FOUND'])
  })

  it.each(['xml', 'pdf'])(
    'does not know a score any more that is deleted for good while its %s is made',
    async (format) => {
      const id = await newScore()
      const { read } = app.ctx.blobs
      vi.spyOn(app.ctx.blobs, 'read').mockImplementationOnce(async (queries, hash) => {
        const bytes = await read(queries, hash)
        await app.ctx.transaction((tx) => tx.deleteFrom('scores').where('id', '=', id).execute())
        if (format === 'pdf') return bytes
        throw new Error('There is no such blob')
      })
      const { status, body } = await dataOf(id, format)
      expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    },
  )

  it('shows nothing of a score that may not be seen, and all to who has the sharing key', async () => {
    const shared = (await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    const path = `/scores/${shared.id}/revisions/last/xml`
    const { status, body } = await people.otto.get(path)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    expect((await people.sam.get(`${path}?sharingKey=${shared.sharingKey}`)).status).toBe(200)
  })
})

/** The name that RFC 6266 has a client save the file under. */
function nameIn(headers: Headers): string {
  return decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '')
}

/** Begins with the eleven bits of a frame (ISO/IEC 11172-3, 2.4.2.3), after an ID3 tag where there is one. */
const mp3Frame = ([first = 0, second = 0]: Uint8Array) => first === 0xff && second >> 5 === 7

const base64url = (plain: string) => Buffer.from(plain).toString('base64url')

async function fileAt(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer())
}
