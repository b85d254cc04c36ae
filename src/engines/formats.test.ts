import { describe, expect, test } from 'vitest'
import { readMusicXml } from '../music/formats/musicxml/read.ts'
import { sniffFormat } from '../music/formats/sniff.ts'
import type { ServerFormat } from './engine-format.ts'
import { taskExportFormats } from '../contract/tasks.ts'
import { engineOf, exportFormats, exportsOf, formats } from './formats.ts'
import { createScoreWork } from './score-work.ts'

/** A format made up for this test: `tones: C D E`, a quarter note each. */
const tones: ServerFormat = {
  title: 'Tones',
  sniff: (file) => file.plainText.startsWith('tones:'),
  read(bytes) {
    const [, ...steps] = new TextDecoder().decode(bytes).split(/[\s:]+/)
    const notes = steps.map(
      (step) => `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>1</duration></note>`,
    )
    return readMusicXml(
      Buffer.from(
        `<score-partwise><part-list><score-part id="P1"><part-name>Tones</part-name></score-part></part-list><part id="P1"><measure number="1"><attributes><divisions>1</divisions></attributes>${notes.join('')}</measure></part></score-partwise>`,
      ),
    )
  },
  export: {
    name: 'tones',
    mediaType: 'text/x-tones',
    extension: 'tones',
    write: () => Buffer.from('tones: C'),
  },
}

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
    const { json, facts, durationTime } = await work.read('tones', file, undefined)
    expect(facts.noteCount).toBe(3)
    expect(durationTime).toBe(1.5)
    const xml = Buffer.from(await work.write('xml', { json })).toString()
    expect([...xml.matchAll(/<step>(.)<\/step>/g)].map(([, step]) => step)).toEqual(['C', 'D', 'E'])
  })

  test('is written like any other format', async () => {
    const { json } = await work.read('tones', file, undefined)
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

test('a task can export each format that an engine makes of a whole score', () => {
  const isPicture = ({ mediaType }: { mediaType: string }) => mediaType.startsWith('image/')
  const ofWholeScores = Object.values(exportFormats).filter((one) => engineOf(one) && !isPicture(one))
  expect(new Set(taskExportFormats)).toEqual(new Set(ofWholeScores.map(({ name }) => name)))
})
