import { meta } from './meta-events.ts'
import { fail } from '../../../errors.ts'
import { exactPoints } from '../../model/instruments/name-index.ts'
import type { Repairs } from '../repairs.ts'
import { chunkType, isChunkAt, type MidiHeader, nextTrack, readHeader, refuse, unwrapRiff } from './chunks.ts'
import { decodeMidiText, type MidiText } from './midi-text.ts'
import { readTrackEvents } from './track-events.ts'

/** A note with its end. Ticks count from the beginning of the file. */
export interface MidiNote {
  /** 16 times the port, plus the channel from 0. */
  readonly channel: number
  /** 0–127. */
  readonly key: number
  /** 1–127. */
  readonly velocity: number
  readonly start: number
  end: number
}

export interface MidiTrack {
  /** Its place in the file, from 0. */
  readonly number: number
  /** The track's name, else that of its instrument. */
  name: string | undefined
  readonly notes: MidiNote[]
  /** Lyric events. */
  readonly lyrics: MidiText[]
  /** Text events. */
  readonly texts: MidiText[]
}

/** What a MIDI file says, less what notation has no place for. All lists but `tracks` are by tick. */
export interface MidiFile {
  readonly format: number
  readonly ticksPerQuarter: number
  readonly tracks: readonly MidiTrack[]
  /** Empty with an SMPTE division. */
  readonly tempos: { readonly tick: number; readonly quartersPerMinute: number }[]
  readonly meters: {
    readonly tick: number
    readonly track: MidiTrack
    readonly beats: number
    readonly beatType: number
  }[]
  readonly keys: {
    readonly tick: number
    readonly track: MidiTrack
    readonly fifths: number
    readonly isMinor: boolean
  }[]
  readonly markers: MidiText[]
  /** General MIDI programs, 0–127, by channel as in `MidiNote`. */
  readonly programs: { readonly tick: number; readonly channel: number; readonly program: number }[]
  /** The damper pedal. */
  readonly pedals: { readonly tick: number; readonly channel: number; readonly isDown: boolean }[]
  /** Name of the sequence, from the track of format 0 or a first track without notes. Others have the name of their instrument there. */
  title: string | undefined
  copyright: string | undefined
}

/** About three hours of quarter notes: longer than any music. */
const MAX_QUARTERS = 20_000
/** Quarter notes in a measure. */
const LONGEST_MEASURE = 32
const MAX_NOTES = 200_000
const MAX_EVENTS = 1_000_000
const MAX_TRACKS = 1_000

const DAMPER = 64

/**
 * Reads a Standard MIDI File (1.0; formats 0 and 1, a single track of format 2, plain or in RIFF). Chunks of other
 * types are skipped, as the specification demands. The reader repairs a file if it can still read notes: a wrong
 * number of tracks or length of a chunk, a missing end of a track, notes that never end, and measures of more than
 * 32 quarter notes. It reads a track that is cut off or broken up to the fault.
 * @throws INVALID_MIDI with the problem and the byte, if the file has no note that can be read, more than 1,000
 *   tracks, 200,000 notes or 1,000,000 events, or a note after 20,000 quarter notes
 */
export function readMidiFile(wrapped: Uint8Array, repairs: Repairs): MidiFile {
  const bytes = unwrapRiff(wrapped)
  const header = readHeader(bytes, repairs)
  const tracks: MidiTrack[] = []
  const file: MidiFile = {
    format: header.format,
    ticksPerQuarter: header.ticksPerQuarter,
    tracks,
    tempos: [],
    meters: [],
    keys: [],
    markers: [],
    programs: [],
    pedals: [],
    title: undefined,
    copyright: undefined,
  }
  const faults = readTracks(bytes, header, file, tracks, repairs)
  if (tracks.every(({ notes }) => notes.length === 0)) {
    const [fault] = faults
    if (fault !== undefined) refuse(fault.problem, fault.offset)
    fail('INVALID_MIDI', { message: 'The MIDI file has no notes.' })
  }
  for (const list of [file.tempos, file.meters, file.keys, file.markers, file.programs, file.pedals])
    list.sort((a, b) => a.tick - b.tick)
  return file
}

interface Fault {
  readonly problem: string
  readonly offset: number
}

function readTracks(
  bytes: Uint8Array,
  header: MidiHeader,
  file: MidiFile,
  tracks: MidiTrack[],
  repairs: Repairs,
): Fault[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const faults: Fault[] = []
  const counted = { events: 0, notes: 0 }
  let offset = isChunkAt(bytes, header.end) ? header.end : nextTrack(bytes, header.end)
  while (offset + 8 <= bytes.length) {
    const start = offset + 8
    const end = start + view.getUint32(offset + 4)
    if (chunkType(bytes, offset) !== 'MTrk') {
      offset = isChunkAt(bytes, end) ? end : nextTrack(bytes, offset + 4)
      continue
    }
    if (tracks.length === MAX_TRACKS) refuse(`there are more than ${MAX_TRACKS} tracks`, offset)
    const number = tracks.length + 1
    const hasLength = isChunkAt(bytes, end)
    const reader = trackReader(file, header, tracks, counted, repairs)
    const read = readTrackEvents(bytes, start, hasLength ? end : bytes.length, reader.handler)
    const open = reader.finish()
    if (open > 0) repairs.add(`Track ${number} has notes that never end: ${open}. They were ended.`)
    const fault = faultOf(read, number, end, bytes.length)
    if (fault !== undefined) {
      faults.push(fault)
      repairs.add(`${upperFirst(fault.problem)}, at byte ${fault.offset}. What comes before it was read.`)
    } else if (!hasLength && read.isComplete && read.offset !== end) {
      repairs.add(`Track ${number} has a wrong length, at byte ${offset + 4}. It was read up to its end.`)
    } else if (!read.isComplete) {
      repairs.add(`Track ${number} has no end-of-track event, at byte ${read.offset}.`)
    }
    offset = hasLength ? end : nextTrack(bytes, read.offset)
  }
  if (tracks.length < header.announced) {
    const problem = `track ${tracks.length + 1} of ${header.announced} is missing`
    faults.push({ problem, offset: bytes.length })
  }
  if (tracks.length !== header.announced)
    repairs.add(`The header announces ${header.announced} tracks, at byte 10. The file has ${tracks.length}.`)
  return faults
}

/** @param end the end of the track by the length of its chunk */
function faultOf(
  { fault, isComplete }: ReturnType<typeof readTrackEvents>,
  number: number,
  end: number,
  fileEnd: number,
): Fault | undefined {
  if (end > fileEnd && !isComplete) return { problem: `track ${number} is cut off`, offset: fileEnd }
  return fault && { problem: `track ${number} ${fault.problem}`, offset: fault.offset }
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Collects the events of one track. `finish` ends the notes that are still open, and returns their number. */
function trackReader(
  file: MidiFile,
  { format, ticksPerQuarter, isSmpte }: MidiHeader,
  tracks: MidiTrack[],
  counted: { events: number; notes: number },
  repairs: Repairs,
) {
  const isFirst = tracks.length === 0
  const track: MidiTrack = { number: tracks.length, name: undefined, notes: [], lyrics: [], texts: [] }
  tracks.push(track)
  const lastTick = ticksPerQuarter * MAX_QUARTERS
  const open = new Map<number, MidiNote[]>()
  let port = 0
  let instrument: string | undefined

  function count(offset: number): void {
    counted.events += 1
    if (counted.events > MAX_EVENTS) refuse(`there are more than ${MAX_EVENTS} events`, offset)
  }
  function noteOn(note: MidiNote, offset: number): void {
    if (note.start > lastTick) refuse(`the music is longer than ${MAX_QUARTERS} quarter notes`, offset)
    counted.notes += 1
    if (counted.notes > MAX_NOTES) refuse(`there are more than ${MAX_NOTES} notes`, offset)
    const place = note.channel * 128 + note.key
    const sounding = open.get(place)
    if (sounding === undefined) open.set(place, [note])
    else sounding.push(note)
    track.notes.push(note)
  }
  function noteOff(channel: number, key: number, tick: number): void {
    const note = open.get(channel * 128 + key)?.shift()
    if (note !== undefined) note.end = Math.min(Math.max(tick, note.start + 1), lastTick + ticksPerQuarter)
  }

  return {
    handler: {
      message(tick: number, status: number, first: number, second: number, offset: number): void {
        count(offset)
        const channel = port * 16 + (status & 0xf)
        const kind = status >> 4
        if (kind === 0x9 && second > 0)
          noteOn({ channel, key: first, velocity: second, start: tick, end: Number.NaN }, offset)
        else if (kind === 0x8 || kind === 0x9) noteOff(channel, first, tick)
        else if (kind === 0xc) file.programs.push({ tick, channel, program: first })
        else if (kind === 0xb && first === DAMPER) file.pedals.push({ tick, channel, isDown: second >= 64 })
      },
      meta(tick: number, type: number, content: Uint8Array, offset: number): void {
        count(offset)
        const [first = 0, second = 0, third = 0] = content
        const text = () => decodeMidiText(content)
        if (type === meta.name) track.name ??= text().trim() || undefined
        else if (type === meta.instrument) instrument ??= text().trim() || undefined
        else if (type === meta.copyright) file.copyright ??= text().trim() || undefined
        else if (type === meta.lyric) track.lyrics.push({ tick, text: text() })
        else if (type === meta.text) track.texts.push({ tick, text: text() })
        else if (type === meta.marker) file.markers.push({ tick, text: text().trim() })
        else if (type === meta.port) port = first & 0x7f
        else if (type === meta.tempo && !isSmpte) {
          const microseconds = first * 65_536 + second * 256 + third
          if (microseconds > 0) file.tempos.push({ tick, quartersPerMinute: 60e6 / microseconds })
        } else if (type === meta.meter && first > 0 && second <= 6) {
          const meter = { tick, track, beats: first, beatType: 2 ** second }
          if ((meter.beats * 4) / meter.beatType <= LONGEST_MEASURE) file.meters.push(meter)
          else
            repairs.add(
              `The time signature ${first}/${meter.beatType} is too long, at byte ${offset}. It was left out.`,
            )
        } else if (type === meta.key && Math.abs((first << 24) >> 24) <= 7)
          file.keys.push({ tick, track, fifths: (first << 24) >> 24, isMinor: second === 1 })
      },
    },
    finish(): number {
      // The name of the only track of format 0 is that of the sequence (SMF 1.0), but many programs write the instrument there.
      const isSequence = format === 0 && track.name !== undefined && exactPoints(track.name).size === 0
      if (isFirst && isSequence) {
        file.title = track.name
        track.name = undefined
      }
      track.name ??= instrument
      if (isFirst && track.notes.length === 0) file.title ??= track.name
      const ends = track.notes.filter(({ end }) => Number.isNaN(end))
      const starts = [...new Set(track.notes.map(({ start }) => start))].sort((a, b) => a - b)
      let place = 0
      for (const note of ends) {
        while (place < starts.length && (starts[place] as number) <= note.start) place += 1
        note.end = Math.min(starts[place] ?? note.start + ticksPerQuarter, note.start + 4 * ticksPerQuarter)
      }
      return ends.length
    },
  }
}
