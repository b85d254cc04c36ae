import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../test/support/corpus.ts'
import { writeMxl } from './mxl/write.ts'
import { notationFormats } from './registry.ts'
import { sniffFormat } from './sniff.ts'

const formatOf = (bytes: Uint8Array) => sniffFormat(bytes, notationFormats)

async function archiveOf(...names: string[]): Promise<Buffer> {
  const writer = new ZipFile()
  for (const name of names) writer.addBuffer(Buffer.from(name), name)
  writer.end()
  const chunks: Buffer[] = []
  for await (const chunk of writer.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

describe('sniffFormat', () => {
  it.each([
    ['musicxml', '<score-partwise>'],
    [
      'musicxml',
      '\ufeff\n<?xml version="1.0"?><!-- <mei> --><!DOCTYPE score-timewise [<!ENTITY a "<museScore>">]><score-timewise/>',
    ],
    ['mscx', '<?xml version="1.0" encoding="UTF-8"?>\n<museScore version="3.02">'],
    ['mei', '<mei xmlns="http://www.music-encoding.org/ns/mei">'],
    ['mei', '<m:music xmlns:m="http://www.music-encoding.org/ns/mei">'],
    ['capx', '<score xmlns="http://www.whc.de/CapXML/1.0.8">'],
    ['json', ' \r\n{"score-partwise":{}}'],
    ['abc', '%abc-2.1\n'],
    ['abc', '% a comment\n\nX:1\r\nT:Speed the Plough\r\nK:G\r\n'],
    ['krn', '!!!COM: Bach\n**kern\t**dynam\n*clefF4\t*\n'],
    ['krn', '**dynam\t**kern\n'],
    ['midi', 'MThd\x00\x00\x00\x06'],
    ['midi', 'RIFF\x00\x00\x00\x00RMIDdata'],
    ['gp3', '\x18FICHIER GUITAR PRO v3.00'],
    ['gp4', '\x18FICHIER GUITAR PRO v4.06'],
    ['gp5', '\x18FICHIER GUITAR PRO v5.10'],
    ['gpx', 'BCFZ\x00'],
    ['gpx', 'BCFS\x00'],
    ['ptb', 'ptab\x04'],
    ['cap', 'cap3-v:x'],
    ['ove', 'OVSC\x00'],
  ])('finds %s by its content', (format, content) => {
    expect(formatOf(Buffer.from(content))).toBe(format)
  })

  it('finds XML and JSON in every encoding', () => {
    expect(formatOf(iconv.encode('<mei xmlns="x">', 'utf-16le', { addBOM: true }))).toBe('mei')
    expect(formatOf(iconv.encode('<museScore>', 'utf-16be'))).toBe('mscx')
    expect(formatOf(Buffer.from('\ufeff{"score-partwise":{}}'))).toBe('json')
  })

  it.each([2040, 2047, 2048, 2049, 60_000])(
    'finds XML and JSON whose content begins after %i bytes',
    (length) => {
      expect(formatOf(Buffer.from(`<!--${' '.repeat(length)}--><museScore version="3.02">`))).toBe('mscx')
      expect(formatOf(Buffer.from(`${'<!--♩-->'.padEnd(length)}<museScore version="♩">`))).toBe('mscx')
      expect(formatOf(Buffer.from(`${' '.repeat(length)}<museScore>`))).toBe('mscx')
      expect(formatOf(Buffer.from(`${' '.repeat(length)}{"score-partwise":{}}`))).toBe('json')
    },
  )

  it('returns MusicXML for unknown or broken XML, so that the reader says what is wrong', () => {
    for (const xml of [
      '<html>',
      '<opus/>',
      '<',
      '<!-- ',
      '<?xml version="1.0" encoding="klingon"?><score-partwise/>',
    ]) {
      expect(formatOf(Buffer.from(xml))).toBe('musicxml')
    }
  })

  it('distinguishes archives by the names of their entries', async () => {
    expect(formatOf(await writeMxl('<score-partwise/>'))).toBe('mxl')
    expect(formatOf(await archiveOf('lied.xml'))).toBe('mxl')
    expect(formatOf(await archiveOf('Thumbnails/thumbnail.png', 'META-INF/container.xml', 'lied.mscx'))).toBe(
      'mscz',
    )
    expect(formatOf(await archiveOf('VERSION', 'Content/score.gpif'))).toBe('gp')
    expect(formatOf(await archiveOf('score.xml', 'picture.png'))).toBe('capx')
    expect(formatOf(await archiveOf('score.xml', 'META-INF/container.xml'))).toBe('mxl')
  })

  it('returns compressed MusicXML for a broken archive', async () => {
    const archive = await archiveOf('lied.mscx')
    expect(formatOf(archive.subarray(0, 40))).toBe('mxl')
    for (let offset = archive.length - 22; offset < archive.length; offset++) {
      const broken = Buffer.from(archive)
      broken[offset] = 0xff
      expect(['mxl', 'mscz']).toContain(formatOf(broken))
    }
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a document', Buffer.from('%PDF-1.7')],
    ['prose', Buffer.from('Key: to the highway\nX marks the spot')],
    ['bytes', Buffer.alloc(100)],
  ])('finds no score in %s', (_what, bytes) => {
    expect(formatOf(bytes)).toBeUndefined()
  })
})

describe.skipIf(!hasCorpus)(corpusTitle('sniffFormat of real scores'), () => {
  it.each([
    ['lieder-mxl', ['mxl']],
    ['lieder-mscz', ['mscz']],
    ['mscx', ['mscx']],
    ['midi', ['midi']],
    ['guitar-pro/gp', ['gp']],
    ['guitar-pro/gp3', ['gp3']],
    ['guitar-pro/gp4', ['gp4']],
    ['guitar-pro/gp5', ['gp5']],
    ['guitar-pro/gpx', ['gpx']],
    ['kern', ['krn']],
    ['mei', ['mei']],
    ['abc', ['abc']],
    ['powertab', ['ptb']],
    ['musicxml-suite', ['musicxml', 'mxl']],
  ])('%s: %j', (folder, formats) => {
    const files = corpusFiles(folder)
    expect(files).not.toEqual([])
    expect([...new Set(files.map(({ bytes }) => formatOf(bytes)))].sort()).toEqual(formats)
  })
})
