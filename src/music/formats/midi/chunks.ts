import { fail } from '../../../errors.ts'
import type { Repairs } from '../repairs.ts'

/** The header chunk of a MIDI file. */
export interface MidiHeader {
  /** 0: one track; 1: tracks of one piece. */
  readonly format: number
  /** The number of tracks that the header gives. It can be wrong. */
  readonly announced: number
  readonly ticksPerQuarter: number
  /** The time comes from the division alone. Tempos mean nothing. */
  readonly isSmpte: boolean
  /** The byte after the header. */
  readonly end: number
}

/** SMPTE divisions are notated with two quarter notes per second, which is the default tempo of 120 per minute. */
const QUARTERS_PER_SECOND = 2
const HEADER_BYTES = 14

/** Microsoft's RIFF form, RMID: the file is in its `data` chunk. Other files are returned as they are. */
export function unwrapRiff(bytes: Uint8Array): Uint8Array {
  if (chunkType(bytes, 0) !== 'RIFF') return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true)
    if (chunkType(bytes, offset) === 'data') return bytes.subarray(offset + 8, offset + 8 + size)
    offset += 8 + size + (size % 2)
  }
  return refuse('the RIFF file has no data chunk', bytes.length)
}

/**
 * Reads the header chunk (Standard MIDI Files 1.0).
 * @throws INVALID_MIDI if there is none, if a quarter note has no ticks, or for several pieces in one file (format 2)
 */
export function readHeader(bytes: Uint8Array, repairs: Repairs): MidiHeader {
  if (bytes.length < HEADER_BYTES || chunkType(bytes, 0) !== 'MThd') refuse('there is no header chunk', 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [format, announced, length] = [view.getUint16(8), view.getUint16(10), view.getUint32(4)]
  if (format === 2 && announced > 1)
    refuse('its tracks are pieces of their own (format 2), which are not one score', 8)
  if (format > 2) repairs.add(`The header names format ${format}, at byte 8. The file was read as format 1.`)
  const isOrdinary = length === 6 || isChunkAt(bytes, 8 + length)
  if (!isOrdinary) repairs.add(`The header gives its own length as ${length}, at byte 4. It was read as 6.`)
  const end = isOrdinary ? 8 + length : HEADER_BYTES
  return { format, announced, end, ...divisionOf(view.getUint16(12)) }
}

function divisionOf(division: number): Pick<MidiHeader, 'ticksPerQuarter' | 'isSmpte'> {
  const isSmpte = division >= 0x8000
  const ticksPerSecond = (256 - (division >> 8)) * (division & 0xff)
  const ticksPerQuarter = isSmpte ? ticksPerSecond / QUARTERS_PER_SECOND : division
  if (ticksPerQuarter === 0) refuse('a quarter note has no ticks', 12)
  return { ticksPerQuarter, isSmpte }
}

/** Whether a chunk could begin there: four printable characters and a length, or the end of the file. */
export function isChunkAt(bytes: Uint8Array, offset: number): boolean {
  if (offset === bytes.length) return true
  return offset + 8 <= bytes.length && /^[A-Za-z][\x20-\x7e]{3}$/.test(chunkType(bytes, offset))
}

/** The offset of the next track chunk; the length of the file if there is none. */
export function nextTrack(bytes: Uint8Array, offset: number): number {
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(
    'MTrk',
    offset,
    'latin1',
  )
  return found < 0 ? bytes.length : found
}

/** The four characters of the type of a chunk. */
export function chunkType(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}

/** @throws INVALID_MIDI with the problem and the byte */
export function refuse(problem: string, offset: number): never {
  return fail('INVALID_MIDI', { message: `The MIDI file cannot be read: ${problem}, at byte ${offset}.` })
}
