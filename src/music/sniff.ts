import { Failure } from '../errors.ts'
import { decodeXmlStart } from './encoding.ts'
import { readXml } from './xml-reader.ts'

/** The formats of scores that can be told apart by their content, with the names that people know them by. */
export const formatNames = {
  musicxml: 'MusicXML',
  mxl: 'compressed MusicXML',
  midi: 'MIDI',
  json: 'the JSON form of a score',
  gp3: 'Guitar Pro 3',
  gp4: 'Guitar Pro 4',
  gp5: 'Guitar Pro 5',
  gpx: 'Guitar Pro 6',
  gp: 'Guitar Pro 7',
  mscz: 'MuseScore',
  mscx: 'uncompressed MuseScore',
  abc: 'ABC',
  mei: 'MEI',
  krn: 'Humdrum **kern',
  ptb: 'Power Tab',
  cap: 'capella',
  capx: 'CapXML',
  ove: 'Overture',
} as const

export type ScoreFormat = keyof typeof formatNames

/** How much of a text is looked at, in bytes. */
const START_LENGTH = 64 * 1024

/** Binary files by what stands at an offset. */
const magics: ReadonlyArray<{ offset: number; magic: string; format: ScoreFormat }> = [
  { offset: 0, magic: 'MThd', format: 'midi' },
  { offset: 8, magic: 'RMID', format: 'midi' },
  { offset: 1, magic: 'FICHIER GUITAR PRO v3', format: 'gp3' },
  { offset: 1, magic: 'FICHIER GUITAR PRO v4', format: 'gp4' },
  { offset: 1, magic: 'FICHIER GUITAR PRO v5', format: 'gp5' },
  { offset: 0, magic: 'BCFZ', format: 'gpx' },
  { offset: 0, magic: 'BCFS', format: 'gpx' },
  { offset: 0, magic: 'ptab', format: 'ptb' },
  { offset: 0, magic: 'cap3-v:', format: 'cap' },
  { offset: 0, magic: 'OVSC', format: 'ove' },
]

/** XML files by the name or the namespace of their root element. */
const roots: ReadonlyArray<{ root: RegExp; format: ScoreFormat }> = [
  { root: /^museScore /, format: 'mscx' },
  { root: /^(mei|meiCorpus) | http:\/\/www\.music-encoding\.org\/ns\/mei/, format: 'mei' },
  { root: /^score http:\/\/www\.whc\.de\/CapXML/, format: 'capx' },
]

/**
 * The format of a score from its content alone, never from its name; undefined when it is none that is known. XML and
 * archives of an unknown kind count as MusicXML, so that their reader says what is wrong with them.
 */
export function sniffFormat(bytes: Uint8Array): ScoreFormat | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = content.toString('latin1', 0, 32)
  const binary = magics.find(({ offset, magic }) => start.startsWith(magic, offset))
  if (binary) return binary.format
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return archiveFormat(entryNames(content))
  return textFormat(decodeXmlStart(content, START_LENGTH).trimStart())
}

function textFormat(text: string): ScoreFormat | undefined {
  if (text.startsWith('<')) {
    const written = rootOf(text)
    return roots.find(({ root }) => root.test(written))?.format ?? 'musicxml'
  }
  if (text.startsWith('{')) return 'json'
  // Humdrum: comments, then the line of exclusive interpretations (Humdrum syntax reference, "exclusive interpretation").
  if (/^(!|\*\*)/.test(text) && /^\*\*(.*\t\*\*)?(kern|mens)/m.test(text)) return 'krn'
  // ABC 2.1, section 2.2: a tune begins with X: and its header ends with K:.
  if (/^%abc/.test(text) || (/^X: *\d/m.test(text) && /^K:/m.test(text))) return 'abc'
  return undefined
}

/** The name and the namespace of the first element, in a text that need not be well-formed behind it: `score http://…`. */
function rootOf(text: string): string {
  let root = ''
  const firstElement = (name: string, attributes: Readonly<Record<string, string>>): void => {
    const colon = name.indexOf(':')
    const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`] ?? ''
    root ||= `${name.slice(colon + 1)} ${namespace}`
  }
  try {
    readXml(text, () => ({ open: firstElement }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return root
}

function archiveFormat(names: readonly string[]): ScoreFormat {
  if (names.some((name) => name.endsWith('.mscx'))) return 'mscz'
  if (names.includes('Content/score.gpif')) return 'gp'
  if (names.includes('score.xml') && !names.includes('META-INF/container.xml')) return 'capx'
  return 'mxl'
}

/**
 * The first names in the central directory of a ZIP file (APPNOTE.TXT 6.3, 4.3.12 and 4.3.16), read without trust and
 * without inflating anything; none when there is no such directory.
 */
function entryNames(archive: Buffer): string[] {
  const names: string[] = []
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > archive.length) return names
  let offset = archive.readUInt32LE(end + 16)
  while (names.length < 1_000 && offset + 46 <= end && archive.readUInt32LE(offset) === 0x02014b50) {
    const nameLength = archive.readUInt16LE(offset + 28)
    names.push(archive.toString('utf8', offset + 46, offset + 46 + nameLength))
    offset += 46 + nameLength + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32)
  }
  return names
}
