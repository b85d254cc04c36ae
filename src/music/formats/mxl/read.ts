import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Failure, fail } from '../../../errors.ts'
import { createRepairs, type Repairs } from '../repairs.ts'
import { decodeXml } from '../../xml/encoding.ts'
import { excerpt, MAX_XML_BYTES } from '../../model/limits.ts'
import { readXml } from '../../xml/xml-reader.ts'

/** The maximum number of entries. A compressed score has a handful: the score, its images and sounds. */
export const MAX_ENTRIES = 1_000
/** META-INF/container.xml, inflated, in bytes. */
const MAX_CONTAINER_BYTES = 64 * 1024

/** The file that names the score in the archive. */
export const containerPath = 'META-INF/container.xml'

/**
 * Returns the MusicXML file of a compressed score (.mxl): the first root file that META-INF/container.xml
 * names, or, if the container is missing or faulty, the only .musicxml or .xml file. Does not inflate other entries, and
 * stops at the limit of each entry. Source: MusicXML 4.0, "Compressed .mxl files".
 * @throws INVALID_ARCHIVE with the entry, if it is truncated, encrypted, does not have the declared size or
 *   checksum, or has a path outside of the archive (`../`, absolute paths); PAYLOAD_TOO_LARGE for a score
 *   above MAX_XML_BYTES
 */
export async function readMxl(bytes: Uint8Array, repairs = createRepairs()): Promise<Uint8Array> {
  const archive = await openArchive(bytes)
  const entries = await entriesOf(archive)
  return inflate(archive, await findScore(archive, entries, repairs), MAX_XML_BYTES)
}

async function findScore(archive: ZipFile, entries: readonly Entry[], repairs: Repairs): Promise<Entry> {
  const scores = entries.filter(
    ({ fileName }) => /\.(musicxml|xml)$/i.test(fileName) && !/^(META-INF|__MACOSX)\//.test(fileName),
  )
  const [only, ...others] = scores
  const container = entries.find((entry) => entry.fileName === containerPath)
  if (container !== undefined) {
    try {
      return await rootNamedBy(archive, container, entries)
    } catch (problem) {
      if (only === undefined || others.length > 0 || !isRepairable(problem)) throw problem
      repairs.add(`${problem.message} The only score in the archive was read.`)
      return only
    }
  }
  if (only === undefined)
    return refuse(`the archive has neither ${containerPath} nor a .musicxml or .xml file`)
  if (others.length > 0)
    refuse(`the archive has no ${containerPath} and ${scores.length} files that may be the score`)
  return only
}

const isRepairable = (problem: unknown): problem is Failure =>
  problem instanceof Failure && problem.code === 'INVALID_ARCHIVE'

async function rootNamedBy(archive: ZipFile, container: Entry, entries: readonly Entry[]): Promise<Entry> {
  const path = rootPathIn(await inflate(archive, container, MAX_CONTAINER_BYTES))
  return (
    entries.find((entry) => entry.fileName === path) ??
    refuse(`${containerPath} names "${excerpt(path)}", which is not in the archive`)
  )
}

async function openArchive(bytes: Uint8Array): Promise<ZipFile> {
  try {
    return await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    return refuse(`the archive cannot be opened: ${reasonOf(cause)}`, cause)
  }
}

/** The entries as the central directory lists them, their paths and sizes checked. */
async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  if (archive.entryCount === 0) refuse('the archive is empty')
  if (archive.entryCount > MAX_ENTRIES) {
    refuse(`the archive has ${archive.entryCount} entries, more than ${MAX_ENTRIES}`)
  }
  const entries: Entry[] = []
  try {
    for await (const entry of archive.eachEntry()) entries.push(entry)
  } catch (cause) {
    refuse(`entry ${entries.length + 1} of the archive: ${reasonOf(cause)}`, cause)
  }
  return entries
}

/** Inflates an entry, at most to its declared size and to `limit` bytes. */
async function inflate(archive: ZipFile, entry: Entry, limit: number): Promise<Uint8Array> {
  const name = `entry "${excerpt(entry.fileName)}"`
  if (entry.isEncrypted()) refuse(`${name} is encrypted`)
  if (!entry.canDecodeFileData())
    refuse(`${name} is compressed by method ${entry.compressionMethod}, not by deflate`)
  if (entry.uncompressedSize > limit) {
    const message = `The ${name} of the archive has ${entry.uncompressedSize} bytes, more than ${limit}.`
    fail('PAYLOAD_TOO_LARGE', { message })
  }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk)
  } catch (cause) {
    refuse(`${name} cannot be read: ${reasonOf(cause)}`, cause)
  }
  const content = Buffer.concat(chunks)
  if (crc32(content) !== entry.crc32)
    refuse(`${name} does not have the checksum that the archive gives for it`)
  return content
}

/** The path of the first root file that the container names. */
function rootPathIn(container: Uint8Array): string {
  let path: string | undefined
  try {
    readXml(decodeXml(container), () => ({
      open(name, attributes) {
        if (name === 'rootfile' || name.endsWith(':rootfile')) path ??= attributes['full-path']
      },
    }))
  } catch (cause) {
    refuse(`${containerPath}: ${reasonOf(cause)}`, cause)
  }
  return path ?? refuse(`${containerPath} names no root file`)
}

function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return cause instanceof Failure ? reason.replace(/\.$/, '') : excerpt(reason.replace(/\.$/, ''), 120)
}

function refuse(problem: string, cause?: unknown): never {
  return fail('INVALID_ARCHIVE', { message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`, cause })
}
