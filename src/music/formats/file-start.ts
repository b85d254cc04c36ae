import { Failure } from '../../errors.ts'
import { once } from '../../lib/once.ts'
import { decodeXmlStart } from '../xml/encoding.ts'
import { readXmlRoot } from '../xml/xml-reader.ts'

/** How many bytes of a text the sniffers see. */
const START_LENGTH = 64 * 1024

/** How many bytes of a text mostly contain the start tag of its root element. */
const HEAD_LENGTH = 2 * 1024

/** Entries of an archive that the sniffers see. */
const MAX_ENTRIES = 1_000

/** The start of a file, as the sniffers of the formats need it. Each property is computed when it is first read. */
export interface FileStart {
  /** Whether `magic` is at that offset (in bytes) within the first 32 bytes of the file, each taken as one Latin-1 character. */
  startsWith(magic: string, offset?: number): boolean
  /** The names of the entries of a ZIP archive, at most 1,000. Undefined if the file is not an archive. */
  readonly archiveEntries: readonly string[] | undefined
  /**
   * Bytes of the text in the file: the sizes that a ZIP archive declares for its .xml and .musicxml entries, or the size of any
   * other file.
   */
  readonly textSize: number
  /** The first element of an XML file; its name is empty if there is none. Undefined if the file is not XML. */
  readonly xmlRoot: XmlRoot | undefined
  /**
   * The first 64 KiB of a text, without a byte order mark and without leading white space and empty lines. Bytes that are
   * not valid in the encoding are replaced. Empty for an archive and for XML.
   */
  readonly plainText: string
}

/** The root element of an XML file, without a prefix. */
export interface XmlRoot {
  readonly name: string
  /** The URI of its namespace; empty if it has none. */
  readonly namespace: string
}

/** The start of a file, for the sniffers. Does not inflate, decode or parse more than a sniffer needs. */
export const fileStartOf = (bytes: Uint8Array): FileStart => new StartOfFile(bytes)

/** A class, because V8 makes a new hidden class in old space for each object literal with a getter. */
class StartOfFile implements FileStart {
  readonly #content: Buffer
  readonly #start: string
  readonly #isArchive: boolean
  readonly #head: () => string
  readonly #text: () => string
  readonly #entries: () => readonly ArchiveEntry[] | undefined
  readonly #root: () => XmlRoot | undefined

  constructor(bytes: Uint8Array) {
    this.#content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#start = this.#content.toString('latin1', 0, 32)
    this.#isArchive = this.#start.startsWith('PK\x03\x04') || this.#start.startsWith('PK\x05\x06')
    this.#head = once(() => this.#textOf(HEAD_LENGTH))
    this.#text = once(() => this.#textOf(START_LENGTH))
    this.#entries = once(() => (this.#isArchive ? entriesOf(this.#content) : undefined))
    this.#root = once(() => this.#readRoot())
  }

  startsWith(magic: string, offset = 0): boolean {
    return this.#start.startsWith(magic, offset)
  }

  get archiveEntries(): readonly string[] | undefined {
    return this.#entries()?.map(({ name }) => name)
  }

  get textSize(): number {
    const texts = this.#entries()?.filter(({ name }) => /\.(musicxml|xml)$/i.test(name))
    return texts?.reduce((sum, { size }) => sum + size, 0) ?? this.#content.length
  }

  get xmlRoot(): XmlRoot | undefined {
    return this.#root()
  }

  get plainText(): string {
    return this.#isXml() ? '' : this.#text()
  }

  #textOf(length: number): string {
    return this.#isArchive ? '' : decodeXmlStart(this.#content, length).trimStart()
  }

  #isXml(): boolean {
    return (this.#head() || this.#text()).startsWith('<')
  }

  #readRoot(): XmlRoot | undefined {
    if (!this.#isXml()) return undefined
    const root = rootOf(this.#head())
    return root.name === '' ? rootOf(this.#text()) : root
  }
}

/** The first element of an XML text. The text after it need not be well-formed. */
function rootOf(text: string): XmlRoot {
  let root = { name: '', namespace: '' }
  try {
    readXmlRoot(text, (name, attributes) => {
      const colon = name.indexOf(':')
      const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`] ?? ''
      root = { name: name.slice(colon + 1), namespace }
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return root
}

interface ArchiveEntry {
  readonly name: string
  /** The declared number of bytes when inflated. */
  readonly size: number
}

/**
 * The entries in the central directory of a ZIP file (APPNOTE.TXT 6.3, 4.3.12 and 4.3.16). Trusts no length in the file and
 * inflates nothing. Returns no entries if the file has no directory.
 */
function entriesOf(archive: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > archive.length) return entries
  let offset = archive.readUInt32LE(end + 16)
  while (entries.length < MAX_ENTRIES && offset + 46 <= end && archive.readUInt32LE(offset) === 0x02014b50) {
    const nameLength = archive.readUInt16LE(offset + 28)
    const name = archive.toString('utf8', offset + 46, offset + 46 + nameLength)
    entries.push({ name, size: archive.readUInt32LE(offset + 24) })
    offset += 46 + nameLength + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32)
  }
  return entries
}
