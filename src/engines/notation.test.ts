import { getPriority } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../test/support/corpus.ts'
import { mainThreadPriority, threadPriorities } from '../../test/support/thread-priorities.ts'
import { measuresOf, partsOf } from '../music/model/document.ts'
import { readJson } from '../music/formats/json/read.ts'
import { readMusicXml } from '../music/formats/musicxml/read.ts'
import { writeMxl } from '../music/formats/mxl/write.ts'
import { LARGE_SCORE } from '../music/model/limits.ts'
import { parseMidi } from '../music/testing/parse-midi.ts'
import { createNotation, type ExportedScore, type NotationOptions, type ScoreFile } from './notation.ts'
import type { Waiters } from '../lib/shared-runs.ts'
import type { ExportFormat } from './formats.ts'
import { midiBytes, midiNote, midiTempo, midiText } from '../music/testing/midi-bytes.ts'
import { belowEngines } from '../lib/priority.ts'

/** Creates a notation whose work has the same caller unless a test says otherwise. */
function openNotation(options: NotationOptions) {
  const created = createNotation(options)
  const waiters = { callers: ['test'] }
  return {
    ...created,
    read: (file: ScoreFile) => created.read(file, waiters),
    write: (score: ExportedScore, format: ExportFormat, options: Partial<Waiters> = {}) =>
      created.write(score, format, { ...waiters, ...options }),
  }
}

const notation = openNotation({ processes: 1 })
afterAll(() => notation.close())

const quarter = (step: string, octave: number) =>
  `<note><pitch><step>${step}</step><octave>${octave}</octave></pitch><duration>1</duration><type>quarter</type></note>`

const measure = (number: number, content = [...'CDEF'].map((step) => quarter(step, 4)).join('')) => {
  const attributes =
    '<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>'
  return `<measure number="${number}">${number === 1 ? attributes : ''}${content}</measure>`
}

/** Two parts, flute and harp, that play the same measures. */
function scoreXml(measures: string[], title = 'Walk') {
  const parts = ['Flute', 'Harp'].map((name, index) => ({ name, id: `P${index + 1}` }))
  const list = parts.map(
    ({ name, id }) => `<score-part id="${id}"><part-name>${name}</part-name></score-part>`,
  )
  const music = parts.map(({ id }) => `<part id="${id}">${measures.join('')}</part>`)
  return Buffer.from(
    `<?xml version="1.0"?><score-partwise version="4.0"><work><work-title>${title}</work-title></work><part-list>${list.join('')}</part-list>${music.join('')}</score-partwise>`,
  )
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => measure(index + 1))
const walk = await notation.read({ bytes: scoreXml(numbered(4)) })
const write = async (format: ExportFormat, score: Partial<ExportedScore> = {}) =>
  Buffer.from(await notation.write({ json: walk.json, ...score }, format))

describe('reading', () => {
  test('reads a large score in a process of its own, whatever the size of the compressed file', async () => {
    const xml = `${scoreXml(numbered(4))}${' '.repeat(LARGE_SCORE)}`
    const file = await writeMxl(xml)
    expect(file.length).toBeLessThan(100_000)
    expect(notation.stats().largeScores).toMatchObject({ started: 0 })
    const large = await notation.read({ bytes: file })
    expect(large.facts).toEqual(walk.facts)
    expect(notation.stats().largeScores).toMatchObject({ started: 1, size: 1 })
  })

  test.runIf(process.platform === 'linux')('gives way to the server, which keeps its priority', async () => {
    await notation.read({ bytes: scoreXml([measure(1)]) })
    const ownPriority = getPriority()
    expect(threadPriorities()).toContain(Math.min(19, ownPriority + belowEngines))
    expect(mainThreadPriority()).toBe(ownPriority)
  })

  test('returns the facts, the duration and the document with uuids', () => {
    expect(walk).toMatchObject({
      format: 'musicxml',
      durationTime: 8,
      statistics: { additions: 32, deletions: 0 },
    })
    expect(walk.facts).toMatchObject({ title: 'Walk', numberMeasures: 4 })
    const document = readJson(walk.json)
    for (const element of [...partsOf(document), ...partsOf(document).flatMap(measuresOf)]) {
      expect(element.uuid).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('keeps uuids across revisions and counts changed notes', async () => {
    const changed = scoreXml([...numbered(3), measure(4, quarter('G', 4) + quarter('A', 4)), measure(5)])
    const { json, statistics } = await notation.read({ bytes: changed, previous: walk.json })
    const uuids = (text: string) =>
      partsOf(readJson(text)).flatMap((part) => [part.uuid, ...measuresOf(part).map((m) => m.uuid)])
    expect(uuids(json).slice(0, 4)).toEqual(uuids(walk.json).slice(0, 4))
    expect(uuids(json)).toHaveLength(12)
    expect(statistics.additions).toBeGreaterThan(0)
  })

  test('reads what it wrote, in each format that it reads', async () => {
    for (const [written, format] of [
      ['xml', 'musicxml'],
      ['mxl', 'mxl'],
      ['json', 'json'],
    ] as const) {
      const again = await notation.read({ bytes: await write(written) })
      expect(again).toMatchObject({ format, durationTime: 8, facts: walk.facts })
      expect((await notation.write(again, 'xml')).length).toBe((await write('xml')).length)
    }
  })

  test('converts a MIDI file to a score', async () => {
    const tune = [60, 62, 64, 65].flatMap((key, index) => midiNote(index * 480, key))
    const bytes = midiBytes([[midiText(0, 0x03, 'Tune')], tune])
    const score = await notation.read({ bytes })
    expect(score).toMatchObject({ format: 'midi', durationTime: 2, facts: { title: 'Tune', noteCount: 4 } })
    const { notes } = parseMidi(await notation.write(score, 'midi'))
    expect(notes.map(({ key }) => key)).toEqual([60, 62, 64, 65])
  })

  test('converts a MIDI file with absurd tempos and texts to a score that can be read again', async () => {
    const absurdEvents = [
      midiTempo(0, 60e6),
      midiTempo(480, 3.6),
      midiText(0, 0x03, `${'\uFFFF'.repeat(9)}T\u0007`),
    ]
    const score = await notation.read({ bytes: midiBytes([absurdEvents, midiNote(0, 60, { length: 960 })]) })
    expect(score.facts.title).toBe('T')
    expect(parseMidi(await notation.write(score, 'midi')).notes).toHaveLength(1)
  })

  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)
  const midi = midiBytes([midiNote(0, 60)])
  test.each([
    ['an empty file', '', 'UNKNOWN_FORMAT', 'empty'],
    ['a picture', png, 'UNKNOWN_FORMAT', 'MusicXML'],
    ['a letter', 'Dear Tess, here is my score.', 'UNKNOWN_FORMAT', 'MIDI'],
    ['a format that is only recognized', 'X:1\nT:Tune\nK:C\nCDEF|\n', 'FORMAT_NOT_SUPPORTED', 'ABC'],
    ['truncated XML', scoreXml(numbered(1)).subarray(0, 400), 'INVALID_MUSICXML', 'line 1'],
    ['a score without a measure', scoreXml([]), 'INVALID_MUSICXML', 'measure'],
    [
      'an external entity',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
      'INVALID_MUSICXML',
      '',
    ],
    [
      'an archive without a score',
      Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'),
      'INVALID_ARCHIVE',
      '',
    ],
    ['JSON that is not a score', '{"title": "Walk"}', 'INVALID_SCORE_JSON', ''],
    ['a truncated MIDI file', midi.subarray(0, 25), 'INVALID_MIDI', 'byte'],
    ['a MIDI file without notes', midiBytes([[]]), 'INVALID_MIDI', 'no notes'],
  ])('refuses %s with a message that names the problem', async (_what, content, code, message) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    await expect(notation.read({ bytes })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
    await expect(notation.read({ bytes: scoreXml(numbered(1)) })).resolves.toMatchObject({ durationTime: 2 })
  })
})

describe('writing', () => {
  test('returns MusicXML with the requested parts only', async () => {
    const [flute, harp] = partsOf(readJson(walk.json))
    expect(partsOf(readMusicXml(await write('xml')))).toHaveLength(2)
    const harpOnly = readMusicXml(await write('xml', { parts: [harp?.uuid as string] }))
    expect(partsOf(harpOnly).map(({ attributes }) => attributes.id)).toEqual(['P2'])
    expect(JSON.parse((await write('json', { parts: [flute?.uuid as string] })).toString())).toBeTypeOf(
      'object',
    )
    await expect(write('pdf', { parts: ['nobody'] })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      param: 'parts',
    })
  })

  test('returns MIDI and synchronization points', async () => {
    expect(parseMidi(await write('midi')).notes).toHaveLength(32)
    const points = JSON.parse((await write('synchronizationPoints')).toString())
    expect(points.map(({ time }: { time: number }) => time)).toEqual([0, 2, 4, 6, 8])
  })

  test('returns one page as SVG in its real size, without fonts, scripts or external content', async () => {
    const svg = (await write('svg')).toString()
    expect(svg).toMatch(/<svg width="8\.27\d*in" height="11\.69\d*in" viewBox=/)
    expect(svg.match(/class="Note"/g)).toHaveLength(32)
    expect(svg).not.toMatch(/<text|<script|href|<title/)
    expect(svg).toBe((await write('svg', { page: 1 })).toString())
  })

  test('returns other pages, and refuses a page that does not exist', async () => {
    const { json } = await notation.read({ bytes: scoreXml(numbered(120)) })
    const [first, second] = await Promise.all([1, 2].map((page) => write('svg', { json, page })))
    expect(second).not.toEqual(first)
    for (const page of [0, 99]) {
      await expect(write('svg', { json, page })).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        param: 'page',
      })
    }
  })

  test('engraves a tuplet whose notes have no type, on which the engine itself would never end', async () => {
    const note = quarter('C', 4).replace(
      '<type>quarter</type>',
      '<time-modification><actual-notes>100</actual-notes><normal-notes>1</normal-notes></time-modification>',
    )
    const { json } = await notation.read({ bytes: scoreXml([measure(1, note)]) })
    expect((await write('svg', { json })).toString()).toContain('class="Note"')
  })

  test('refuses to engrave too many parts, but exports them in other formats and some of them as SVG', async () => {
    const parts = Array.from({ length: 201 }, (_, i) => `P${i}`)
    const { json, partUuids } = await notation.read({
      bytes: Buffer.from(
        `<score-partwise><part-list>${parts.map((id) => `<score-part id="${id}"><part-name>Drum</part-name></score-part>`).join('')}</part-list>
        ${parts.map((id) => `<part id="${id}">${measure(1)}</part>`).join('')}</score-partwise>`,
      ),
    })
    for (const format of ['svg', 'pdf', 'thumbnail.png'] as const) {
      await expect(write(format, { json })).rejects.toMatchObject({
        code: 'SCORE_NOT_RENDERABLE',
        message: 'The score has 201 parts. At most 200 parts can be engraved.',
      })
    }
    expect((await write('xml', { json })).toString()).toContain('P200')
    expect((await write('svg', { json, parts: partUuids.slice(0, 2) })).toString()).toContain('class="Note"')
  })

  test('returns a PDF', async () => {
    const pdf = (await write('pdf')).toString('latin1')
    expect(pdf.slice(0, 5)).toBe('%PDF-')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    expect(pdf.trimEnd().slice(-5)).toBe('%%EOF')
  })

  test.each([1, 4, 300])('returns a thumbnail of the same size for %i measures', async (count) => {
    const { json } = await notation.read({ bytes: scoreXml(numbered(count)) })
    const png = await write('thumbnail.png', { json })
    expect(png.toString('latin1', 1, 4)).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([472, 354])
  })

  test('returns sound with the duration of the score and the tail', async () => {
    expect(await write('wav')).toHaveLength(44 + 4 * 44_100 * (8 + 2))
    expect((await write('mp3')).length / 20_000).toBeCloseTo(8 + 2, 0)
  })

  test('refuses to render sound for a score that is too long', async () => {
    const slow = `<direction><direction-type><words>Lento</words></direction-type><sound tempo="4"/></direction>`
    const { json } = await notation.read({
      bytes: scoreXml([measure(1, slow + quarter('C', 4)), ...numbered(25).slice(1)]),
    })
    await expect(write('wav', { json })).rejects.toMatchObject({
      code: 'SCORE_TOO_LONG',
      message: expect.stringContaining('20'),
    })
  })
})

test('finishes running work on close, and accepts no more', async () => {
  const ownNotation = openNotation({ processes: 1, grace: 60_000 })
  const midi = ownNotation.read({ bytes: midiBytes([midiNote(0, 60)]) })
  const closing = ownNotation.close()
  await expect(ownNotation.read({ bytes: scoreXml(numbered(1)) })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  })
  await expect(midi).resolves.toMatchObject({ format: 'midi' })
  await closing
})

/** Note-ons of every key, percussion apart. */
function keysOf(midi: Uint8Array) {
  const counts = new Map<string, number>()
  for (const { channel, key } of parseMidi(midi).notes) {
    const name = channel === 9 ? 'percussion' : String(key)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

describe.skipIf(!hasCorpus)(corpusTitle('real MIDI files'), () => {
  test.each(corpusFiles('midi'))(
    '$name keeps at least 98 of 100 notes, less those of trills',
    async ({ bytes }) => {
      const score = await notation.read({ bytes })
      const before = keysOf(bytes)
      const after = keysOf(await notation.write(score, 'midi'))
      const total = [...before.values()].reduce((sum, count) => sum + count, 0)
      const different = [...new Set([...before.keys(), ...after.keys()])].reduce(
        (sum, key) => sum + Math.abs((before.get(key) ?? 0) - (after.get(key) ?? 0)),
        0,
      )
      expect(total).toBeGreaterThan(1_000)
      expect(different / total).toBeLessThan(0.02)
    },
  )
})

test('aborts work that takes too long on close, so that a stop does not wait for it', async () => {
  const own = openNotation({ processes: 1 })
  const long = await own.read({ bytes: scoreXml(numbered(1500)) })
  const playing = own.write({ json: long.json }, 'mp3').then(
    () => 'finished',
    (error) => error.code,
  )
  await own.close()
  expect(await playing).toBe('ENGINE_UNAVAILABLE')
})
