import { meta } from './meta-events.ts'
import type { ScoreCredits } from '../../model/credits.ts'
import { bendsOf } from './bends.ts'
import { channelsOf, type MidiChannel, PERCUSSION_CHANNEL } from './channels.ts'
import { type StruckNote, separateUnisons } from './struck-notes.ts'
import { concatenate, type MidiEvent, metaEvent, ranks, trackChunk } from './track.ts'
import type {
  ControlChange,
  KeyChange,
  MeterChange,
  ProgramChange,
  Timeline,
  TimelinePart,
} from '../../timeline/played.ts'

const status = { noteOff: 0x80, noteOn: 0x90, control: 0xb0, program: 0xc0 } as const
const BANK_MSB = 0
const BANK_LSB = 32
const DEFAULT_RELEASE_VELOCITY = 64
const STANDARD_KIT = 0
/** The programs of the percussion channel: General MIDI 2, which has those of GS. */
const kits: ReadonlySet<number> = new Set([STANDARD_KIT, 8, 16, 24, 25, 32, 40, 48, 56])

/**
 * Writes a Standard MIDI File of format 1 (Standard MIDI Files 1.0, General MIDI 1): a conductor track with
 * tempo, time and key signatures and markers, then a track for each part with its name, programs, controls,
 * lyrics and notes. All tracks end with the timeline, so the file lasts `durationSeconds`. `channels.ts`
 * assigns the channels. Texts are UTF-8. Lyrics follow RP-017: one syllable per event, with a space after a
 * word.
 *
 * The conductor track has the title as its name, and the other credits as texts.
 *
 * Microtones and slides bend the pitch of their channel, so simultaneous notes of one part share the last bend.
 */
export function writeMidi(timeline: Timeline, credits?: ScoreCredits): Uint8Array {
  const { parts, ticksPerQuarter, durationTicks } = timeline
  const channels = channelsOf(parts)
  const notes = struckNotesOf(parts, channels)
  const kit = kitOf(parts)
  const chunks = [
    headerChunk(parts.length + 1, ticksPerQuarter),
    trackChunk([...creditEvents(credits), ...conductorEvents(timeline)], durationTicks),
  ]
  for (const [index, part] of parts.entries()) {
    const channel = channels[index] ?? { port: 0, channel: 0 }
    const events = partEvents(part, channel, kit)
    addNotes(events, notes[index] ?? [])
    chunks.push(trackChunk(events, durationTicks))
  }
  return concatenate(chunks)
}

function headerChunk(tracks: number, ticksPerQuarter: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(14))
  header.setUint32(0, 0x4d546864)
  header.setUint32(4, 6)
  header.setUint16(8, 1)
  header.setUint16(10, tracks)
  header.setUint16(12, ticksPerQuarter)
  return new Uint8Array(header.buffer)
}

/** The title as the name of the track, and the other credits: `Composer: …`. */
function creditEvents({ title, ...others }: Partial<ScoreCredits> = {}): MidiEvent[] {
  const texts = Object.entries(others).flatMap(([role, text]) =>
    text ? [metaEvent(meta.text, `${role.charAt(0).toUpperCase()}${role.slice(1)}: ${text}`)] : [],
  )
  const all = title ? [metaEvent(meta.name, title), ...texts] : texts
  return all.map((bytes) => ({ tick: 0, rank: ranks.setUp, bytes }))
}

function conductorEvents({ tempos, meters, keys, markers }: Timeline): MidiEvent[] {
  const events: MidiEvent[] = []
  const add = (tick: number, bytes: Uint8Array | undefined) => {
    if (bytes !== undefined) events.push({ tick, rank: ranks.setUp, bytes })
  }
  for (const meter of meters) add(meter.tick, meterEvent(meter))
  for (const key of keys) add(key.tick, keyEvent(key))
  for (const { tick, microsecondsPerQuarter: tempo } of tempos) {
    add(tick, metaEvent(meta.tempo, [tempo >> 16, (tempo >> 8) & 0xff, tempo & 0xff]))
  }
  for (const { tick, text } of markers) add(tick, metaEvent(meta.marker, text))
  return events
}

/** The meter, or undefined if MIDI cannot express it. MIDI only has beat types that are powers of two. */
function meterEvent({ beats, beatType }: MeterChange): Uint8Array | undefined {
  const power = Math.log2(beatType)
  if (!Number.isInteger(power) || beats > 255) return undefined
  const isCompound = beatType >= 8 && beats > 3 && beats % 3 === 0
  const clocksPerClick = Math.max(1, Math.round((96 / beatType) * (isCompound ? 3 : 1)))
  return metaEvent(meta.meter, [beats, power, clocksPerClick, 8])
}

function keyEvent({ fifths, minor }: KeyChange): Uint8Array {
  return metaEvent(meta.key, [fifths & 0xff, minor ? 1 : 0])
}

/**
 * The drum kit of the percussion channel, which all percussion parts share: that of the first part with another one than
 * the standard kit. A program that is no kit was meant for a melodic channel.
 */
function kitOf(parts: readonly TimelinePart[]): number {
  const programs = parts.flatMap((part) => (part.percussion ? part.programs : []))
  const special = programs.find(({ program }) => program !== STANDARD_KIT && kits.has(program))
  return special?.program ?? STANDARD_KIT
}

function partEvents(part: TimelinePart, { port, channel }: MidiChannel, kit: number): MidiEvent[] {
  const events: MidiEvent[] = [{ tick: 0, rank: ranks.setUp, bytes: metaEvent(meta.name, part.name) }]
  if (port > 0)
    events.push({ tick: 0, rank: ranks.setUp, bytes: metaEvent(meta.port, [Math.min(127, port)]) })
  for (const change of part.programs) {
    const program = channel === PERCUSSION_CHANNEL ? kit : change.program
    events.push(...programEvents({ ...change, program }, channel))
  }
  for (const control of part.controls) events.push(controlEvent(control, channel))
  for (const { tick, text, wordEnds } of part.lyrics) {
    events.push({ tick, rank: ranks.text, bytes: metaEvent(meta.lyric, wordEnds ? `${text} ` : text) })
  }
  return events
}

function programEvents({ tick, program, bank }: ProgramChange, channel: number): MidiEvent[] {
  const events: MidiEvent[] = []
  if (bank !== undefined) {
    events.push(controlEvent({ tick, controller: BANK_MSB, value: bank >> 7 }, channel))
    events.push(controlEvent({ tick, controller: BANK_LSB, value: bank & 0x7f }, channel))
  }
  events.push({ tick, rank: ranks.control, bytes: [status.program | channel, program] })
  return events
}

function controlEvent({ tick, controller, value }: ControlChange, channel: number): MidiEvent {
  return { tick, rank: ranks.control, bytes: [status.control | channel, controller, value] }
}

/** The notes of each part. An unpitched note of a melodic part is played on the percussion channel. */
function struckNotesOf(parts: readonly TimelinePart[], channels: readonly MidiChannel[]): StruckNote[][] {
  const all: StruckNote[] = []
  const byPart = parts.map((part, index) => {
    const { port, channel } = channels[index] ?? { port: 0, channel: 0 }
    return part.notes.map((note) => {
      const on = note.percussion ? PERCUSSION_CHANNEL : channel
      const struck = { channel: port * 16 + on, note, startTick: note.startTick, endTick: note.endTick }
      all.push(struck)
      return struck
    })
  })
  separateUnisons(all)
  return byPart
}

function addNotes(events: MidiEvent[], notes: readonly StruckNote[]): void {
  const bends = bendsOf(notes)
  for (const event of bends.range) events.push(event)
  for (const { channel: place, note, startTick, endTick } of notes) {
    const channel = place % 16
    if (!note.percussion) for (const event of bends.of(note, channel)) events.push(event)
    const off = [status.noteOff | channel, note.key, note.releaseVelocity ?? DEFAULT_RELEASE_VELOCITY]
    events.push({
      tick: startTick,
      rank: ranks.noteOn,
      bytes: [status.noteOn | channel, note.key, note.velocity],
    })
    events.push({ tick: endTick, rank: ranks.noteOff, bytes: off })
  }
}
