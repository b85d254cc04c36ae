import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute, second } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { fileAt, type ResponseHeaders } from '../../../../test/support/http.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { base64, musicXml } from '../../../../test/support/scores.ts'
import { exportFormats } from '../../../engines/formats.ts'
import { Failure } from '../../../errors.ts'
import { readMxl } from '../../../music/formats/mxl/read.ts'

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
    (await tess.post('/scores', { data: musicXml({ parts: ['Flute', 'Violin', 'Cello'] }), ...fields })).body
      .id
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
    [
      'noteTimes',
      'application/json',
      'Trio.notes.json',
      (bytes) => expect(JSON.parse(text(bytes))).toMatchObject({ duration: 2 }),
    ],
    ['svg', 'image/svg+xml', 'Trio.svg', (bytes) => expect(text(bytes)).toMatch(/^<\?xml[\s\S]*<svg/)],
    ['pdf', 'application/pdf', 'Trio.pdf', (bytes) => expect(text(bytes)).toMatch(/^%PDF-/)],
    ['thumbnail.png', 'image/png', 'Trio.png', (bytes) => expect(text(bytes)).toMatch(/^.PNG\r\n/)],
    ['wav', 'audio/wav', 'Trio.wav', (bytes) => expect(text(bytes)).toMatch(/^RIFF[\s\S]{4}WAVEfmt /)],
    ['mp3', 'audio/mp3', 'Trio.mp3', (bytes) => expect(mp3Frame(bytes)).toBe(true)],
  ])('returns %s as %s with the file name %s', async (format, mediaType, name, check) => {
    const { status, headers, bytes } = await dataOf(score, format)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(mediaType)
    expect(nameIn(headers)).toBe(name)
    await check(bytes)
  })

  it('names the revision in the headers', async () => {
    const { headers } = await dataOf(score, 'xml')
    const last = (await tess.get(`/scores/${score}/revisions/last`)).body
    expect(headers.get('x-flat-score-revision')).toBe(last.id)
    expect(headers.get('x-flat-score-revision-date')).toBe(last.date)
  })

  it('prevents browsers from running content of a file on the origin of the server', async () => {
    const { headers } = await dataOf(score, 'xml')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  it('returns every element and attribute of the imported file', async () => {
    const sent = musicXml({ title: 'As <it> is & was' })
    const id = await newScore({ data: sent })
    const again = (await tess.post('/scores', { data: text((await dataOf(id, 'xml')).bytes) })).body.id
    expect((await dataOf(again, 'xml')).bytes).toEqual((await dataOf(id, 'xml')).bytes)
    expect(text((await dataOf(id, 'xml')).bytes)).toContain(
      '<work-title>As &lt;it&gt; is &amp; was</work-title>',
    )
  })

  describe('file name', () => {
    it.each([
      ['Ständchen', 'Ständchen.musicxml'],
      ['夜の歌 🎵', '夜の歌 🎵.musicxml'],
      ['a "quoted" title; filename=evil.exe', 'a quoted title; filename=evil.exe.musicxml'],
      ['two\r\nlines: Set-Cookie', 'two lines Set-Cookie.musicxml'],
      ['../../etc/passwd', '.. .. etc passwd.musicxml'],
      ['right \u202bto left', 'right to left.musicxml'],
      ['100% (sure)* it’s \\n', '100% (sure) it’s n.musicxml'],
      ['///', 'score.musicxml'],
    ])('is safe for the title %j', async (title, expected) => {
      const id = await newScore({ title })
      const { status, headers } = await dataOf(id, 'xml')
      expect(status).toBe(200)
      expect(nameIn(headers)).toBe(expected)
      // Clients without RFC 8187 support use the ASCII name, which contains no character that ends the quoted
      // string.
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w. -]+"; filename\*=UTF-8''[^"; ]+$/,
      )
      expect(headers.has('set-cookie')).toBe(false)
    })

    it('is short enough for every file system, even for a long title', async () => {
      for (const title of ['x'.repeat(1000), '夜'.repeat(1000), '🎵'.repeat(500)]) {
        const name = nameIn((await dataOf(await newScore({ title }), 'xml')).headers)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(name).toMatch(/^(x+|夜+|🎵+)\.musicxml$/u)
      }
    })
  })

  describe('parts', () => {
    it('limit the file to the requested parts, in score order', async () => {
      const [flute, violin, cello] = await partsOf(score)
      const { status, bytes } = await dataOf(score, `xml?parts=${cello},${flute}`)
      expect(status).toBe(200)
      expect(partNames(bytes)).toEqual(['Flute', 'Cello'])
      const { body } = await dataOf(score, `json?parts=${violin}`)
      expect(body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)).toEqual([violin])
    })

    it('that do not exist cause an error instead of an empty file', async () => {
      const [flute] = await partsOf(score)
      for (const parts of ['00000000-0000-4000-8000-000000000000', `${flute},nonsense`, 'P1']) {
        const { status, body } = await dataOf(score, `xml?parts=${parts}`)
        expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'parts'])
      }
    })

    it('can be numerous', async () => {
      const names = Array.from({ length: 150 }, (_, i) => `Violin ${i}`)
      const id = await newScore({ data: musicXml({ parts: names }) })
      const parts = (await partsOf(id)).slice(0, 120).join(',')
      const { status, body } = await dataOf(id, `xml?url=true&parts=${parts}`)
      expect(status).toBe(200)
      expect(partNames(await fileAt(body.url))).toEqual(names.slice(0, 120))
    })
  })

  describe('url', () => {
    it('returns a URL of the file that needs no token', async () => {
      const { status, headers, body } = await dataOf(score, 'xml?url=true')
      expect(status).toBe(200)
      expect(headers.get('x-flat-score-revision')).toMatch(/^[0-9a-f]{24}$/)
      expect(Object.keys(body)).toEqual(['url'])
      expect(body.url.startsWith(`${app.url}/`)).toBe(true)
      const response = await fetch(body.url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/vnd.recordare.musicxml+xml')
      expect(nameIn(response.headers)).toBe('Trio.musicxml')
      expect(response.headers.get('cache-control')).toBe(`private, max-age=${(15 * minute) / second}`)
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch(body.url, { headers: { 'If-None-Match': etag } })
      expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
      const { bytes } = await dataOf(score, 'xml')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
      const plain = await fetch(body.url, { headers: { 'Accept-Encoding': 'identity' } })
      expect(plain.headers.get('content-length')).toBe(String(bytes.length))
      expect(new Uint8Array(await plain.arrayBuffer())).toEqual(bytes)
    })

    it('is valid for 15 minutes', async () => {
      const { url } = (await dataOf(score, 'mxl?url=true')).body
      clock.forward(15 * minute - 1000)
      expect((await fetch(url)).status).toBe(200)
      clock.forward(2000)
      const late = await fetch(url)
      expect(late.status).toBe(404)
      expect(await late.json()).toMatchObject({ code: 'NOT_FOUND' })
    })

    it('is signed: a changed URL returns 404', async () => {
      const url = (await dataOf(score, 'xml?url=true')).body.url as string
      const [payload = '', signature = ''] = url.slice(url.lastIndexOf('/') + 1).split('.')
      const [blob, name, , expires] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const forged = base64url(JSON.stringify([blob, name, 'text/html', expires]))
      for (const token of [
        `${forged}.${signature}`,
        payload,
        `${payload}.`,
        `.${signature}`,
        'x.y',
        '',
        '%00',
      ]) {
        expect((await fetch(`${app.url}/files/${token}`)).status).toBe(404)
      }
    })
  })

  it('renders a slow export once and stores it', async () => {
    const id = await newScore()
    const [first, second] = [await dataOf(id, 'svg'), await dataOf(id, 'svg')]
    expect(second.bytes).toEqual(first.bytes)
    const revision = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    const stored = await app.ctx.db.read
      .selectFrom('score_exports')
      .select('variant')
      .where('revision_id', '=', revision)
      .execute()
    expect(stored).toEqual([{ variant: expect.stringMatching(/^svg\?by=[\w-]{8}$/) }])
  })

  it('renders an engraved file again after an update of the engraver, and not a recording', async () => {
    const id = await newScore()
    const rendered = async (format: string) => {
      const writing = vi.spyOn(app.ctx.notation, 'write')
      await dataOf(id, format)
      const times = writing.mock.calls.length
      writing.mockRestore()
      return times
    }
    expect([await rendered('svg'), await rendered('svg'), await rendered('mp3')]).toEqual([1, 0, 1])
    const version = vi.spyOn(exportFormats.svg, 'version').mockReturnValue('updated1')
    expect([await rendered('svg'), await rendered('svg'), await rendered('mp3')]).toEqual([1, 0, 0])
    version.mockRestore()
  })

  it('renders once for several simultaneous requests', async () => {
    const id = await newScore()
    const writing = vi.spyOn(app.ctx.notation, 'write')
    const answers = await Promise.all(Array.from({ length: 4 }, () => dataOf(id, 'svg')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(writing).toHaveBeenCalledTimes(1)
    writing.mockRestore()
  })

  it('returns a rendered file even if it cannot be stored, but no URL of it', async () => {
    app.expectLog(/an export could not be cached/, /"msg":"STORAGE_UNAVAILABLE"/)
    const id = await newScore()
    const full = vi.spyOn(app.ctx.blobs, 'prepare').mockRejectedValue(new Failure('STORAGE_UNAVAILABLE'))
    const { status, bytes } = await dataOf(id, 'svg')
    expect(status).toBe(200)
    expect((await dataOf(id, 'svg?url=true')).body.code).toBe('STORAGE_UNAVAILABLE')
    full.mockRestore()
    const { body } = await dataOf(id, 'svg?url=true')
    expect(await fileAt(body.url)).toEqual(bytes)
  })

  it('streams a large file completely, and sends the length of a stored one in advance', async () => {
    const id = await newScore({
      data: musicXml({ measures: Array.from({ length: 10 }, () => 'C4 D4 E4 F4') }),
    })
    const { status, headers, bytes } = await dataOf(id, 'wav')
    expect(status).toBe(200)
    expect(bytes.length).toBeGreaterThan(2_000_000)
    expect(headers.get('content-length')).toBeNull()
    expect(Buffer.from(bytes).readUInt32LE(4)).toBe(bytes.length - 8)
    const stored = await dataOf(id, 'wav')
    expect(stored.headers.get('content-length')).toBe(String(bytes.length))
    expect(Buffer.from(stored.bytes).equals(bytes)).toBe(true)
    const head = await tess.request('HEAD', `/scores/${id}/revisions/last/wav`)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  })

  it.each(['flat', 'docx', 'XML', 'xml.exe'])('refuses the format %s', async (format) => {
    const { status, body } = await dataOf(score, format)
    expect([status, body.param]).toEqual([400, 'format'])
  })

  it('requires an export task for recordings of more than 15 minutes', async () => {
    const measures = Array.from({ length: 460 }, () => 'C4 D4 E4 F4')
    const id = await newScore({ data: musicXml({ measures }) })
    expect((await tess.get(`/scores/${id}`)).body.durationTime).toBeGreaterThan(900)
    for (const format of ['mp3', 'wav']) {
      const { status, body } = await dataOf(id, format)
      expect([status, body.code]).toEqual([409, 'EXPORT_NEEDS_TASK'])
    }
    // The duration of the revision counts, not that of the last revision of the score.
    const long = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    await tess.post(`/scores/${id}/revisions`, { data: musicXml() })
    expect((await tess.get(`/scores/${id}/revisions/${long}/wav`)).body.code).toBe('EXPORT_NEEDS_TASK')
    expect((await dataOf(id, 'wav')).status).toBe(200)
  })

  it('returns the contents of each revision', async () => {
    const id = await newScore({ data: musicXml({ measures: ['C4 D4 E4 F4'] }) })
    const first = (await tess.get(`/scores/${id}/revisions/last`)).body.id
    await tess.post(`/scores/${id}/revisions`, {
      data: base64(musicXml({ measures: ['G4 G4 G4 G4'] })),
      dataEncoding: 'base64',
    })
    expect(text((await tess.get(`/scores/${id}/revisions/${first}/xml`)).bytes)).not.toContain(
      '<step>G</step>',
    )
    expect(text((await dataOf(id, 'xml')).bytes)).toContain('<step>G</step>')
    const { status, body } = await tess.get(`/scores/${id}/revisions/0123456789abcdef01234567/xml`)
    expect([status, body.code]).toEqual([404, 'REVISION_NOT_FOUND'])
  })

  it.each(['xml', 'pdf'])(
    'returns 404 if the score is deleted permanently while its %s is rendered',
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

  it('returns 404 for a score the caller cannot see, and accepts the sharing key', async () => {
    const shared = (await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    const path = `/scores/${shared.id}/revisions/last/xml`
    const { status, body } = await people.otto.get(path)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    expect((await people.sam.get(`${path}?sharingKey=${shared.sharingKey}`)).status).toBe(200)
  })
})

/** The name under which a client saves the file (RFC 6266). */
function nameIn(headers: ResponseHeaders): string {
  return decodeURIComponent(
    /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '',
  )
}

/** Whether the bytes start with the eleven sync bits of a frame (ISO/IEC 11172-3, 2.4.2.3). */
const mp3Frame = ([first = 0, second = 0]: Uint8Array) => first === 0xff && second >> 5 === 7

const base64url = (plain: string) => Buffer.from(plain).toString('base64url')
