import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { syncFolder } from '../../lib/sync-folder.ts'
import type { TableShape } from './table-shapes.ts'

/**
 * A backup is a folder that says the same whichever database it came from:
 *
 *     manifest.json            written last: a folder without it is no backup
 *     tables/<name>.ndjson.zst a row a line, as a JSON array in the order of the manifest's columns; bytes in base64
 *     files.ndjson.zst         a file beside the database a line: [name, size, SHA-256]
 *     files/<name>             its bytes
 */
export interface Manifest {
  readonly format: 1
  /** When the moment was that it shows, in RFC 3339. */
  readonly createdAt: string
  /** The names of the migrations that its tables have had. */
  readonly migrations: readonly string[]
  readonly tables: readonly (TableShape & WrittenLines)[]
  readonly files: WrittenLines
}

/** A compressed file of lines, and how to know it again. */
export interface WrittenLines {
  /** How many lines it has. */
  readonly count: number
  /** SHA-256 of the file as it lies there, in hex. */
  readonly sha256: string
}

export const paths = {
  table: (directory: string, name: string) => join(directory, 'tables', `${name}.ndjson.zst`),
  fileList: (directory: string) => join(directory, 'files.ndjson.zst'),
  file: (directory: string, name: string) => join(directory, 'files', name),
  manifest: (directory: string) => join(directory, 'manifest.json'),
}

/** How much text is compressed at once; by lines, each would wait for a turn of the event loop. */
const charactersAtOnce = 65_536

/** Writes a value a line, compressed and synced to disk, with memory for a few of them only. */
export async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<WrittenLines> {
  const hash = createHash('sha256')
  let count = 0
  async function* lines() {
    let text = ''
    for await (const value of values) {
      count++
      text += `${JSON.stringify(value)}\n`
      if (text.length < charactersAtOnce) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(lines, createZstdCompress(), through(hash), createWriteStream(path, { flags: 'wx', flush: true }))
  return { count, sha256: hash.digest('hex') }
}

/** The values of a file of lines. Throws, at its end at the latest, where it is not the one that was written. */
export async function* readLines(path: string, expected: WrittenLines): AsyncGenerator<unknown> {
  const hash = createHash('sha256')
  let count = 0
  try {
    for await (const line of linesOf(path, hash)) {
      count++
      yield JSON.parse(line)
    }
  } catch (cause) {
    throw damaged(path, cause)
  }
  if (hash.digest('hex') !== expected.sha256 || count !== expected.count) throw damaged(path)
}

export function damaged(path: string, cause?: unknown): Error {
  return new Error(`The backup is damaged: ${path} is not as it was written`, { cause })
}

async function* linesOf(path: string, hash: Hash): AsyncGenerator<string> {
  const text = createZstdDecompress()
  const flowing = pipeline(createReadStream(path), through(hash), text)
  // An error on the way ends the text, and is thrown from there.
  flowing.catch(() => {})
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
  await flowing
}

function through(hash: Hash) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}

/** Writes the manifest, and with it makes the folder a backup, whole and safe from a power cut. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const path = paths.manifest(directory)
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'wx')
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
  await file.sync()
  await file.close()
  for (const folder of [join(directory, 'tables'), directory]) await syncFolder(folder)
  await rename(temporary, path)
  for (const folder of [directory, dirname(directory)]) await syncFolder(folder)
}

/** @throws Error in words where the folder is no backup, or one of a later format */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(paths.manifest(directory), 'utf8').catch((cause) => {
    throw new Error(`${directory} is no backup: it has no manifest.json, which is written last`, { cause })
  })
  const manifest: Manifest = JSON.parse(text)
  if (manifest.format !== 1) throw new Error(`${directory} was written by a newer version of Partita`)
  return manifest
}
