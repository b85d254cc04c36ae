import { fail } from '../../../errors.ts'

/** The beginning of a note in a MIDI file. */
export interface NoteOn {
  /** Counted from 0. */
  track: number
  channel: number
  key: number
  velocity: number
  /** From the beginning of the file, in the file's own ticks. */
  tick: number
  /** The offset of the byte of the velocity. */
  velocityOffset: number
}

/** A tempo from a place on. */
export interface Tempo {
  /** Quarter notes from the beginning of the file. */
  quarter: number
  quartersPerMinute: number
}

/** The content of a MIDI file that matters for its import. */
export interface MidiFile {
  /** The file without a RIFF wrapping; begins with `MThd`. */
  bytes: Uint8Array
  notes: NoteOn[]
  /** In the order of the file; a file with an SMPTE division has its time from that, and no tempos. */
  tempos: Tempo[]
  /** Name of the sequence, from a first track without notes; a track with notes has the name of its instrument there. */
  title: string | undefined
  copyright: string | undefined
}

/**
 * The maximum length, about three hours of quarter notes: longer than any music, and short enough for the
 * engine.
 */
const MAX_QUARTERS = 20_000
const MAX_NOTES = 200_000
const MAX_TRACKS = 1_000
/** Characters of a title or a copyright. */
const MAX_TEXT = 1_000
/**
 * SMPTE divisions are notated with two quarter notes per second, which is the default tempo of 120 per
 * minute.
 */
const QUARTERS_PER_SECOND = 2

/** Meta events (Standard MIDI Files 1.0). */
const meta = { copyright: 0x02, name: 0x03, endOfTrack: 0x2f, tempo: 0x51 } as const

/**
 * Reads a Standard MIDI File (1.0; formats 0 and 1, plain or in RIFF). Nothing is silently left out: every track
 * must be complete, and every event must be one of the specification. Chunks of other types are skipped, as
 * the specification demands.
 * @throws INVALID_MIDI with the problem and the byte. A file is also invalid without a note, with more than 1,000
 *   tracks or 200,000 notes, or if it is longer than 20,000 quarter notes
 */
export function readMidiFile(wrapped: Uint8Array): MidiFile {
  const bytes = unwrapRiff(wrapped)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 14 || chunkType(bytes, 0) !== 'MThd') refuse('there is no header chunk', 0)
  if (view.getUint16(8) > 1)
    refuse('its tracks are pieces of their own (format 2), which are no one score', 8)
  const division = readDivision(view)
  const file: MidiFile = { bytes, notes: [], tempos: [], title: undefined, copyright: undefined }
  const announced = view.getUint16(10)
  if (announced > MAX_TRACKS) refuse(`there are more than ${MAX_TRACKS} tracks`, 10)
  let tracks = 0
  let offset = 8 + view.getUint32(4)
  while (tracks < announced) {
    if (offset + 8 > bytes.length) refuse(`track ${tracks + 1} of ${announced} is missing`, bytes.length)
    const end = offset + 8 + view.getUint32(offset + 4)
    if (chunkType(bytes, offset) === 'MTrk') {
      if (end > bytes.length) refuse(`track ${tracks + 1} is cut off`, bytes.length)
      readTrack(file, { number: tracks, start: offset + 8, end, ...division })
      tracks++
    }
    offset = end
  }
  if (file.notes.length === 0) fail('INVALID_MIDI', { message: 'The MIDI file has no notes.' })
  return file
}

/** Microsoft's RIFF form, RMID: the file is in its `data` chunk. */
function unwrapRiff(bytes: Uint8Array): Uint8Array {
  if (chunkType(bytes, 0) !== 'RIFF') return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true)
    if (chunkType(bytes, offset) === 'data') return bytes.subarray(offset + 8, offset + 8 + size)
    offset += 8 + size + (size % 2)
  }
  return refuse('the RIFF file has no data chunk', bytes.length)
}

interface Division {
  ticksPerQuarter: number
  isSmpte: boolean
}

function readDivision(view: DataView): Division {
  const division = view.getUint16(12)
  const isSmpte = division >= 0x8000
  const ticksPerSecond = (256 - (division >> 8)) * (division & 0xff)
  const ticksPerQuarter = isSmpte ? ticksPerSecond / QUARTERS_PER_SECOND : division
  if (ticksPerQuarter === 0) refuse('a quarter note has no ticks', 12)
  return { ticksPerQuarter, isSmpte }
}

/** The number of a track and its place in the file. The first track has number 0. */
interface Track extends Division {
  number: number
  start: number
  end: number
}

function readTrack(file: MidiFile, { number, start, end, ticksPerQuarter, isSmpte }: Track): void {
  const { bytes, notes } = file
  const lastTick = ticksPerQuarter * MAX_QUARTERS
  const notesBefore = notes.length
  let name: string | undefined
  let offset = start
  let tick = 0
  let status = 0

  /** A variable-length quantity of at most four bytes. */
  function quantity(): number {
    let value = 0
    for (let length = 0; length < 4; length++) {
      const byte = next()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    return refuse('a number has more than four bytes', offset)
  }
  function next(): number {
    if (offset >= end) refuse(`track ${number + 1} ends within an event`, offset)
    return bytes[offset++] as number
  }
  function block(length: number): Uint8Array {
    if (offset + length > end) refuse(`track ${number + 1} ends within an event`, offset)
    offset += length
    return bytes.subarray(offset - length, offset)
  }

  while (offset < end) {
    tick += quantity()
    if (tick > lastTick) refuse(`the music is longer than ${MAX_QUARTERS} quarter notes`, offset)
    let data = next()
    if (data === 0xff) {
      const type = next()
      const content = block(quantity())
      if (type === meta.endOfTrack) break
      if (type === meta.name) name ??= textOf(content)
      if (type === meta.tempo && !isSmpte) {
        const [high = 0, middle = 0, low = 0] = content
        const microseconds = high * 65_536 + middle * 256 + low
        if (microseconds === 0) refuse('there is a tempo without time', offset - 3)
        file.tempos.push({ quarter: tick / ticksPerQuarter, quartersPerMinute: 60e6 / microseconds })
      }
      if (type === meta.copyright) file.copyright ??= textOf(content)
      continue
    }
    if (data === 0xf0 || data === 0xf7) {
      block(quantity())
      continue
    }
    if (data >= 0xf0) refuse('there is an event that no file may have', offset - 1)
    if (data >= 0x80) {
      status = data
      data = next()
    }
    if (status === 0 || data >= 0x80) refuse('an event has no status', offset - 1)
    const kind = status >> 4
    if (kind === 0xc || kind === 0xd) continue
    const velocity = next()
    if (velocity >= 0x80) refuse('a data byte has its highest bit set', offset - 1)
    if (kind !== 0x9 || velocity === 0) continue
    if (notes.length === MAX_NOTES) refuse(`there are more than ${MAX_NOTES} notes`, offset)
    notes.push({
      track: number,
      channel: status & 0xf,
      key: data,
      velocity,
      tick,
      velocityOffset: offset - 1,
    })
  }
  if (number === 0 && notes.length === notesBefore) file.title = name
}

/** The specification gives no encoding for texts. New files have UTF-8, most others Latin-1. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(bytes)
  const read = text.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : text
  return (
    read
      .replace(/[\p{Cc}\uFFFE\uFFFF]+/gu, ' ')
      .trim()
      .slice(0, MAX_TEXT) || undefined
  )
}

function chunkType(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}

function refuse(problem: string, offset: number): never {
  return fail('INVALID_MIDI', { message: `The MIDI file cannot be read: ${problem}, at byte ${offset}.` })
}
