import type { SoundingNote } from '../../timeline/played.ts'
import type { StruckNote } from './struck-notes.ts'
import { type MidiEvent, ranks } from './track.ts'

/** Semitones that the bend of a General MIDI channel reaches, each way, unless a file changes it. */
const USUAL_RANGE = 2
const STEPS_OF_RANGE = 8192
const STEPS_OF_A_SEMITONE = 16
const MOST_STEPS = 128
const controlChange = 0xb0
const pitchBend = 0xe0
/** Registered parameter 0 is the range of the bend (MIDI 1.0, RPN 00 00); 127 127 selects none. */
const rpn = { fine: 100, coarse: 101, value: 6, valueFine: 38, none: 127 } as const

/** The bends of one track. */
export interface Bends {
  /** Sets the range of the bend at the start, if slides of the track need more than usual. */
  readonly range: readonly MidiEvent[]
  /** The bends of the next note: none if it has the bend that its channel has. */
  of(note: SoundingNote, channel: number): MidiEvent[]
}

/** Bends for microtones and slides. `notes` are those of the track, by start. */
export function bendsOf(notes: readonly StruckNote[]): Bends {
  const reach = notes.reduce(
    (most, { note }) => Math.max(most, Math.abs(note.bend + (note.slide?.semitones ?? 0))),
    0,
  )
  const range = Math.max(USUAL_RANGE, Math.ceil(reach))
  const [first] = notes.filter(({ note }) => note.slide !== undefined)
  let bend = 0
  const eventAt = (tick: number, channel: number): MidiEvent => {
    const value = Math.min(16_383, Math.max(0, 8192 + Math.round((bend * STEPS_OF_RANGE) / range)))
    return { tick, rank: ranks.control, bytes: [pitchBend | channel, value & 0x7f, value >> 7] }
  }
  return {
    range: range === USUAL_RANGE || first === undefined ? [] : rangeEvents(first.channel % 16, range),
    of(note, channel) {
      const events: MidiEvent[] = []
      if (note.bend !== bend) {
        bend = note.bend
        events.push(eventAt(note.startTick, channel))
      }
      if (note.slide === undefined) return events
      const { startTick, endTick, semitones } = note.slide
      const steps = Math.min(
        MOST_STEPS,
        endTick - startTick,
        Math.ceil(Math.abs(semitones) * STEPS_OF_A_SEMITONE),
      )
      for (let step = 1; step <= steps; step++) {
        bend = note.bend + (semitones * step) / steps
        events.push(eventAt(startTick + Math.round(((endTick - startTick) * step) / steps), channel))
      }
      return events
    },
  }
}

function rangeEvents(channel: number, range: number): MidiEvent[] {
  const values = [
    [rpn.coarse, 0],
    [rpn.fine, 0],
    [rpn.value, range],
    [rpn.valueFine, 0],
    [rpn.coarse, rpn.none],
    [rpn.fine, rpn.none],
  ]
  return values.map((value) => ({ tick: 0, rank: ranks.control, bytes: [controlChange | channel, ...value] }))
}
