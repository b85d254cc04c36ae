import type { Instrument } from '../model/instruments/instrument.ts'
import type { PlacedTempo } from './clock.ts'
import type { Key } from './keys.ts'
import type { Meter } from './measures.ts'
import type { Syllable } from './staff-note.ts'

/** Played music with a beat, as a MIDI file has it. Places are quarter notes from the beginning, not rounded. */
export interface Performance {
  /** The finest step of the places, in quarter notes. */
  readonly resolution: number
  readonly tempos: readonly PlacedTempo[]
  /** Empty if the file says nothing about the meter. */
  readonly meters: readonly Meter[]
  /** Empty if the file says nothing about the key. */
  readonly keys: readonly (Key & { readonly quarter: number })[]
  readonly markers: readonly { readonly quarter: number; readonly text: string }[]
  readonly parts: readonly PerformedPart[]
  readonly title: string | undefined
  readonly rights: string | undefined
  /** Types of creators with their names: `composer`. */
  readonly creators: readonly (readonly [type: string, name: string])[]
}

export interface PerformedPart {
  readonly name: string
  readonly instrument: Instrument
  /** General MIDI, 0–127. For percussion, the kit. */
  readonly program: number
  /** Its keys are percussion instruments. */
  readonly isPercussion: boolean
  /** From written to sounding pitch. */
  readonly transposition: Instrument['transposition']
  /** By start. */
  readonly notes: readonly PerformedNote[]
  /** The damper pedal. */
  readonly pedals: readonly { readonly quarter: number; readonly isDown: boolean }[]
}

export interface PerformedNote {
  readonly start: number
  readonly end: number
  /** MIDI key. */
  readonly key: number
  /** 1–127. */
  readonly velocity: number
  /** The staff that the file gives it. Undefined if the hands must be found. */
  readonly staff?: 1 | 2 | undefined
  readonly lyric?: Syllable | undefined
}
