import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { fileAt } from '../../../../test/support/http.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { parseMidi } from '../../../music/testing/parse-midi.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describeApp('the options of an export', (app) => {
  let tess: Person
  let score: string

  beforeAll(async () => {
    tess = await app.person('tess')
    score = await newScore()
  })

  const newScore = async (fields = {}): Promise<string> =>
    (await tess.post('/scores', { data: musicXml(), ...fields })).body.id
  const dataOf = (id: string, data: string) => tess.get(`/scores/${id}/revisions/last/${data}`)

  describe('paper and staffSize', () => {
    const sizeOf = async (id: string, query: string) => {
      const svg = text((await dataOf(id, `svg?${query}`)).bytes)
      const [, width, height] = /width="([\d.]+)in" height="([\d.]+)in"/.exec(svg) ?? []
      const lines = [...svg.matchAll(/class="StaffLines"[^>]*points="[\d.-]+,([\d.-]+)/g)].map(([, y]) =>
        Number(y),
      )
      const staff = (((lines[4] ?? 0) - (lines[0] ?? 0)) / 360) * 25.4
      return [width, height, staff].map((value) => Math.round(Number(value) * 10) / 10)
    }

    it('set a page on other paper and with other staves, and leave the score as it is without them', async () => {
      const id = await newScore()
      expect(await sizeOf(id, '')).toEqual([8.3, 11.7, 7])
      expect(await sizeOf(id, 'paper=letter')).toEqual([8.5, 11, 7])
      expect(await sizeOf(id, 'paper=letter&staffSize=5.5')).toEqual([8.5, 11, 5.5])
      expect(await sizeOf(id, 'staffSize=10.5')).toEqual([8.3, 11.7, 10.5])
      expect(await sizeOf(id, '')).toEqual([8.3, 11.7, 7])
    })

    it('set a pdf, also of some parts and by a task', async () => {
      const id = await newScore({ data: musicXml({ parts: ['Flute', 'Harp'] }) })
      const boxOf = (bytes: Uint8Array) =>
        /\/MediaBox \[([^\]]*)\]/.exec(Buffer.from(bytes).toString('latin1'))?.[1]?.trim()
      const letter = '0 0 612.000000 792.000000'
      const [part] = (await dataOf(id, 'json')).body['score-partwise'].part
      expect(boxOf((await dataOf(id, 'pdf')).bytes)).not.toBe(letter)
      expect(boxOf((await dataOf(id, 'pdf?paper=letter')).bytes)).toBe(letter)
      expect(boxOf((await dataOf(id, `pdf?paper=letter&parts=${part.$uuid}`)).bytes)).toBe(letter)
      const { body: task } = await tess.post(`/scores/${id}/revisions/last/pdf/task`, {
        paper: 'letter',
        staffSize: 5,
      })
      await app.jobsDone()
      const { result } = (await tess.get(`/tasks/${task.id}`)).body
      expect(boxOf(await fileAt(result.url))).toBe(letter)
    })

    it('set the whole score on one line, which is as wide as the music', async () => {
      const measures = Array.from({ length: 40 }, () => 'C4 D4 E4 F4')
      const id = await newScore({ data: musicXml({ title: 'Long walk', measures }) })
      const reply = await dataOf(id, 'svg?layout=line')
      const svg = text(reply.bytes)
      expect(reply.headers.get('x-partita-pages')).toBe('1')
      const tops = new Set([...svg.matchAll(/class="Measure"[^>]* y="([^"]*)"/g)].map(([, y]) => y))
      expect(tops.size).toBe(1)
      const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? []
      const ends = [...svg.matchAll(/class="Measure"[^>]* x="([^"]*)"[^>]* width="([^"]*)"/g)].map(
        ([, x, w]) => Number(x) + Number(w),
      )
      expect(ends).toHaveLength(40)
      expect(Number(width) - Math.max(...ends)).toBeLessThan(100)
      expect(Number(width)).toBeGreaterThan(10 * Number(height))
      expect(svg).not.toContain('class="Text"')
    })

    it.each([
      'layout=wide',
      'paper=a3',
      'paper=',
      'staffSize=3.5',
      'staffSize=14.5',
      'staffSize=5.3',
      'staffSize=x',
    ])('with another value are an error: %s', async (query) => {
      const { status, body } = await dataOf(score, `pdf?${query}`)
      expect([status, body.param]).toEqual([400, query.split('=')[0]])
    })
  })

  describe('what is played', () => {
    const pitch = (step: string, octave: number) =>
      `<pitch><step>${step}</step><octave>${octave}</octave></pitch><duration>4</duration>`
    const content =
      '<sound tempo="60"/><harmony><root><root-step>C</root-step></root><kind>major</kind></harmony>' +
      `<note>${pitch('C', 5)}<type>whole</type><notations><ornaments><trill-mark/></ornaments></notations></note>`
    const leadSheet = `<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Flute</part-name></score-part></part-list><part id="P1"><measure number="1">${content}</measure></part></score-partwise>`
    const keysOf = (bytes: Uint8Array) => new Set(parseMidi(bytes).notes.map(({ key }) => key))
    const trill = [72, 74]
    const chord = [48, 55, 60, 64]

    it('are ornaments, and chord symbols unless chordSymbols is false', async () => {
      const id = await newScore({ data: leadSheet })
      const midi = async (query = '') => keysOf((await dataOf(id, `midi${query}`)).bytes)
      expect(await midi()).toEqual(new Set([...trill, ...chord]))
      expect(await midi('?chordSymbols=false')).toEqual(new Set(trill))
      expect(await midi('?chordSymbols=true')).toEqual(new Set([...trill, ...chord]))
      expect((await dataOf(id, 'midi?chordSymbols=perhaps')).body.param).toBe('chordSymbols')
    })

    it('are in the sound as they are in the notes, also by a task', async () => {
      const id = await newScore({ data: leadSheet })
      const withChords = (await dataOf(id, 'wav')).bytes
      const path = `/scores/${id}/revisions/last/wav/task`
      const { body: task } = await tess.post(path, { chordSymbols: false })
      await app.jobsDone()
      const withoutByTask = await fileAt((await tess.get(`/tasks/${task.id}`)).body.result.url)
      const without = (await dataOf(id, 'wav?chordSymbols=false')).bytes
      expect(Buffer.from(without).equals(withChords)).toBe(false)
      expect(Buffer.from(withoutByTask).equals(without)).toBe(true)
    })
  })

  describe('transpose and concertPitch', () => {
    const clarinet =
      '<attributes><divisions>1</divisions><key><fifths>2</fifths></key><transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose></attributes>'
    const noteOf = (step: string) =>
      `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>4</duration><type>whole</type></note>`
    const duet = `<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Flute</part-name></score-part><score-part id="P2"><part-name>Clarinet in B♭</part-name></score-part></part-list><part id="P1"><measure number="1">${noteOf('C')}</measure></part><part id="P2"><measure number="1">${clarinet}${noteOf('D')}</measure></part></score-partwise>`
    let id: string
    let parts: string[]

    beforeAll(async () => {
      id = await newScore({ data: duet })
      const { part } = (await dataOf(id, 'json')).body['score-partwise']
      parts = part.map(({ $uuid }: { $uuid: string }) => $uuid)
    })

    const written = async (query: string) =>
      text((await dataOf(id, `xml?${query}`)).bytes)
        .match(/<(?:fifths|step|alter)>[^<]+/g)
        ?.map((found) => found.replace(/<.*>/, ''))
    const keysOf = async (query: string) =>
      parseMidi((await dataOf(id, `midi?${query}`)).bytes).notes.map(({ key }) => key)

    it('move the notes and key signatures of all parts, and what is heard', async () => {
      expect(await written('')).toEqual(['C', '2', 'D'])
      expect(await written('transpose=3')).toEqual(['-3', 'E', '-1', '-1', 'F'])
      expect(await written('transpose=1,0')).toEqual(['7', 'C', '1', '-3', 'E', '-1'])
      expect(await keysOf('')).toEqual([60, 60])
      expect(await keysOf('transpose=3')).toEqual([63, 63])
    })

    it('show what sounds, in every format, with the same sound', async () => {
      expect(await written('concertPitch=true')).toEqual(['C', '0', 'C'])
      expect(await written('concertPitch=false')).toEqual(['C', '2', 'D'])
      expect(await written(`concertPitch=true&transpose=2&parts=${parts[1]}`)).toEqual(['2', 'D'])
      expect(await keysOf('concertPitch=true')).toEqual([60, 60])
      const svgOf = async (query: string) => text((await dataOf(id, `svg?${query}`)).bytes)
      const stored = await svgOf('')
      expect(await svgOf('concertPitch=true')).not.toBe(stored)
      expect(await svgOf('concertPitch=false')).toBe(stored)
      expect(await svgOf('')).toBe(stored)
    })

    it('are options of a task too', async () => {
      const { body: task } = await tess.post(`/scores/${id}/revisions/last/abc/task`, { transpose: '2' })
      await app.jobsDone()
      const bytes = await fileAt((await tess.get(`/tasks/${task.id}`)).body.result.url)
      expect(text(bytes)).toContain('K:D')
      const { status, body } = await tess.post(`/scores/${id}/revisions/last/abc/task`, { transpose: '99' })
      expect([status, body.param]).toEqual([400, 'transpose'])
    })

    it.each(['25', '1,7', 'x', '1.5', '', '+2'])(
      'with another interval are an error: %s',
      async (interval) => {
        const { status, body } = await dataOf(id, `svg?transpose=${encodeURIComponent(interval)}`)
        expect([status, body.param]).toEqual([400, 'transpose'])
      },
    )
  })

  describe('page', () => {
    it('selects a page of an svg', async () => {
      const id = await newScore({
        data: musicXml({ measures: Array.from({ length: 200 }, () => 'C4 D4 E4 F4') }),
      })
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
      const pages = Number(first.headers.get('x-partita-pages'))
      expect(pages).toBeGreaterThan(1)
      expect((await dataOf(id, `svg?page=${pages}`)).status).toBe(200)
      expect((await dataOf(id, `svg?page=${pages + 1}`)).status).toBe(400)
      const counted = ['svg', 'svg?page=2&url=true', 'pdf', 'mxl'].map(async (data) =>
        (await dataOf(id, data)).headers.get('x-partita-pages'),
      )
      expect(await Promise.all(counted)).toEqual([`${pages}`, `${pages}`, `${pages}`, null])
    })

    it.each(['0', '-1', '1.5', 'two', '1000'])('that does not exist is an error: %s', async (page) => {
      const { status, body } = await dataOf(score, `svg?page=${page}`)
      expect([status, body.param]).toEqual([400, 'page'])
    })
  })
})
