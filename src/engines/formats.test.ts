import { describe, expect, test } from 'vitest'
import { rejectionOf } from '../../test/support/failure.ts'
import { format } from '../music/formats/format.ts'
import { sniffFormat } from '../music/formats/sniff.ts'
import { decodeUtf8 } from '../music/formats/utf8.ts'
import { leaf, node } from '../music/model/element.ts'
import { MAX_ELEMENTS } from '../music/model/limits.ts'
import type { ServerFormat } from './engine-format.ts'
import { taskExportFormats } from '../contract/tasks.ts'
import { engineOf, exportFormats, exportsOf, formats } from './formats.ts'
import { createScoreWork } from './score-work.ts'

/** A format made up for this test: `tones: C D E`, a quarter note each. */
const tones = format({
  title: 'Tones',
  sniff: (file) => file.plainText.startsWith('tones:'),
  read(bytes) {
    const [, ...steps] = decodeUtf8(bytes, 'INVALID_SCORE').split(/[\s:]+/)
    const notes = steps.map((step) =>
      node('note', [node('pitch', [leaf('step', step), leaf('octave', 4)]), leaf('duration', 1)]),
    )
    const attributes = node('attributes', [leaf('divisions', 1)])
    const scorePart = node('score-part', [leaf('part-name', 'Tones')], { id: 'P1' })
    const measure = node('measure', [attributes, ...notes], { number: '1' })
    const root = node('score-partwise', [
      node('part-list', [scorePart]),
      node('part', [measure], { id: 'P1' }),
    ])
    return { root }
  },
  export: {
    name: 'tones',
    mediaType: 'text/x-tones',
    extension: 'tones',
    write: () => Buffer.from('tones: C'),
  },
})

describe('a format that is added to the registry', () => {
  const registry = { ...formats, tones }
  const work = createScoreWork(registry)
  const file = Buffer.from('tones: C D E')

  test('is found by its content, before the formats that accept any content', () => {
    expect(sniffFormat(file, registry)).toBe('tones')
    expect(sniffFormat(file, formats)).toBeUndefined()
    const anyXml = {
      ...formats,
      svgFile: { sniff: ({ xmlRoot }) => xmlRoot?.name === 'svg' } as ServerFormat,
    }
    expect(sniffFormat(Buffer.from('<svg/>'), anyXml)).toBe('svgFile')
    expect(sniffFormat(Buffer.from('<svg/>'), formats)).toBe('musicxml')
  })

  test('is read like any other format', async () => {
    const { json, facts, durationTime } = await work.read('tones', file, {})
    expect(facts.noteCount).toBe(3)
    expect(durationTime).toBe(1.5)
    const xml = Buffer.from(await work.write('xml', { json })).toString()
    expect([...xml.matchAll(/<step>(.)<\/step>/g)].map(([, step]) => step)).toEqual(['C', 'D', 'E'])
  })

  test('is refused if its reader exceeds a limit of the model or makes text that XML does not allow', async () => {
    const refusal = async (content: string) => {
      const { code, message } = await rejectionOf(work.read('tones', Buffer.from(content), {}))
      return `${code}: ${message}`
    }
    expect(await refusal(`tones: ${'C '.repeat(MAX_ELEMENTS / 5)}`)).toBe(
      `INVALID_SCORE: The score has more than ${MAX_ELEMENTS} elements.`,
    )
    expect(await refusal('tones: C \0')).toBe(
      'INVALID_SCORE: <step> has a character that XML does not allow.',
    )
  })

  test('is written like any other format', async () => {
    const { json } = await work.read('tones', file, {})
    expect(Buffer.from(await work.write('tones', { json })).toString()).toBe('tones: C')
    expect(exportsOf(registry).get('tones')?.extension).toBe('tones')
  })
})

describe('the registry', () => {
  test('names each export once', () => {
    const names = Object.values(formats).flatMap((format) => format.export?.name ?? [])
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(exportFormats).sort()).toEqual([...names].sort())
  })

  test('has a title for each format and a sniffer for each format that is read', () => {
    for (const [name, { title, read, sniff }] of Object.entries(formats)) {
      expect([name, title]).not.toEqual([name, ''])
      if (read) expect([name, typeof sniff]).toEqual([name, 'function'])
    }
  })
})

test('a task can export each format that an engine makes of a whole score, and ABC', () => {
  const isPicture = ({ mediaType }: { mediaType: string }) => mediaType.startsWith('image/')
  const ofWholeScores = Object.values(exportFormats).filter((one) => engineOf(one) && !isPicture(one))
  expect(new Set(taskExportFormats)).toEqual(new Set(['abc', ...ofWholeScores.map(({ name }) => name)]))
})
