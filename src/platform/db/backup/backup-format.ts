import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { syncFolder, writeDurably } from '../../../lib/durable-files.ts'
import type { TableShape } from './table-shapes.ts'

/**
 * A backup is a folder with the same format for either database:
 *
 *     manifest.json            written last: a folder without it is not a backup
 *     tables/<name>.ndjson.zst one row per line, as a JSON array in the order of the manifest's columns; bytes in base64
 *     files.ndjson.zst         one file outside of the database per line: [name, size, SHA-256]
 *     files/<name>             the bytes of such a file
 */
export interface Manifest {
  readonly format: 1
  /** The time of the state that the backup contains, in RFC 3339. */
  readonly createdAt: string
  /** The names of the migrations that were applied to the tables. */
  readonly migrations: readonly string[]
  readonly tables: readonly (TableShape & LineFile)[]
  readonly files: LineFile
}

/** The line count and checksum of a compressed file of lines. */
export interface LineFile {
  /** The number of lines. */
  readonly count: number
  /** SHA-256 of the compressed file, in hex. */
  readonly sha256: string
}

export const paths = {
  table: (directory: string, name: string) => join(directory, 'tables', `${name}.ndjson.zst`),
  fileList: (directory: string) => join(directory, 'files.ndjson.zst'),
  file: (directory: string, name: string) => join(directory, 'files', name),
  manifest: (directory: string) => join(directory, 'manifest.json'),
}

/**
 * How many characters are compressed together. Compressing each line separately would wait for the event loop
 * each time.
 */
const chunkLength = 65_536

/** Writes one value per line, compressed and synced to disk. Only a few values are in memory. */
export async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<LineFile> {
  const hash = createHash('sha256')
  let count = 0
  async function* lines() {
    let text = ''
    for await (const value of values) {
      count++
      text += `${JSON.stringify(value)}\n`
      if (text.length < chunkLength) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(
    lines,
    createZstdCompress(),
    hashChunks(hash),
    createWriteStream(path, { flags: 'wx', flush: true }),
  )
  return { count, sha256: hash.digest('hex') }
}

/**
 * Yields the values of a file of lines. Throws, at the end of the file at the latest, if its count or
 * checksum is wrong.
 */
export async function* readLines(path: string, expected: LineFile): AsyncGenerator<unknown> {
  const hash = createHash('sha256')
  let count = 0
  try {
    for await (const line of linesOf(path, hash)) {
      count++
      yield JSON.parse(line)
    }
  } catch (cause) {
    throw damagedError(path, cause)
  }
  if (hash.digest('hex') !== expected.sha256 || count !== expected.count) throw damagedError(path)
}

export function damagedError(path: string, cause?: unknown): Error {
  return new Error(`The backup is damaged: ${path} has changed since it was written`, { cause })
}

async function* linesOf(path: string, hash: Hash): AsyncGenerator<string> {
  const text = createZstdDecompress()
  const finished = pipeline(createReadStream(path), hashChunks(hash), text)
  // An error of the pipeline ends the text stream, which throws it.
  finished.catch(() => {})
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
  await finished
}

function hashChunks(hash: Hash) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}

/** Writes the manifest last and syncs it to disk, which makes the folder a complete backup. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  for (const folder of [join(directory, 'tables'), directory]) await syncFolder(folder)
  await writeDurably(paths.manifest(directory), `${JSON.stringify(manifest, null, 2)}\n`)
  await syncFolder(dirname(directory))
}

/** @throws Error with a readable message if the folder is not a backup or has a newer format */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(paths.manifest(directory), 'utf8').catch((cause) => {
    throw new Error(`${directory} is not a complete backup: it has no manifest.json`, { cause })
  })
  const manifest: Manifest = JSON.parse(text)
  if (manifest.format !== 1) throw new Error(`${directory} was written by a newer version of Partita`)
  return manifest
}
