import type { Element } from '../model/document.ts'

/**
 * A score as it sounds: repeats and jumps unrolled, ties joined, in concert pitch. Positions are whole ticks from the
 * beginning of the playback; `ticksPerQuarter` is chosen for each score so that every written position falls on a tick
 * (see ticks.ts). Seconds follow from the tempo map alone.
 */
export interface Timeline {
  /** From 960 to 32,767, so that it fits the division of a Standard MIDI File. */
  readonly ticksPerQuarter: number
  /** In the order in which they are played. */
  readonly measures: readonly PlayedMeasure[]
  /** By tick; the first one is at tick 0. */
  readonly tempos: readonly TempoChange[]
  readonly meters: readonly MeterChange[]
  readonly keys: readonly KeyChange[]
  /** Rehearsal marks and the marks of the jumps. */
  readonly markers: readonly Marker[]
  /** In score order. */
  readonly parts: readonly TimelinePart[]
  /** The end of the last measure, or of the last note if it sounds longer. */
  readonly durationTicks: number
  readonly durationSeconds: number
}

export interface PlayedMeasure {
  /** The measure's place in the score, from 0, the same in all parts. */
  readonly index: number
  /** The printed number, which may be any text: `12`, `X1`. */
  readonly number: string
  /** That of the first part that has this measure. */
  readonly uuid: string | undefined
  /** How often the measure has been played by then, from 1. */
  readonly occurrence: number
  readonly startTick: number
  readonly endTick: number
  readonly startSeconds: number
}

export interface TempoChange {
  readonly tick: number
  /** The time of the tick. */
  readonly seconds: number
  /** Whole, so that a MIDI file keeps exactly the same time; from 6,000 to 16,777,215. */
  readonly microsecondsPerQuarter: number
  /** Quarter notes per minute, as written. */
  readonly quartersPerMinute: number
}

export interface MeterChange {
  readonly tick: number
  /** Additive meters are added up: 3/8 + 2/4 is 7/8. */
  readonly beats: number
  readonly beatType: number
}

export interface KeyChange {
  readonly tick: number
  /** Sharps, or flats when negative, at concert pitch. */
  readonly fifths: number
  readonly minor: boolean
}

export interface Marker {
  readonly tick: number
  readonly text: string
}

export interface TimelinePart {
  /** The `id` of `score-part`. */
  readonly id: string
  readonly name: string
  readonly uuid: string | undefined
  /** All of its notes belong on the percussion channel. */
  readonly percussion: boolean
  /** By tick; the first one is at tick 0. */
  readonly programs: readonly ProgramChange[]
  /** By start, then by key. */
  readonly notes: readonly SoundingNote[]
  /** By tick. */
  readonly controls: readonly ControlChange[]
  /** By tick, one verse at a time. */
  readonly lyrics: readonly Lyric[]
}

export interface ProgramChange {
  readonly tick: number
  /** General MIDI, 0–127. */
  readonly program: number
  /** 0–16,383, when the score names one. */
  readonly bank: number | undefined
}

export interface SoundingNote {
  readonly startTick: number
  /** After startTick, always. */
  readonly endTick: number
  /** MIDI key, 0–127; 60 is middle C. */
  readonly key: number
  /** The difference between the key and the pitch, in semitones from -0.5 to 0.5. */
  readonly bend: number
  /** 1–127. */
  readonly velocity: number
  /** The release velocity, 0–127, if the score has one (`end-dynamics`). */
  readonly releaseVelocity: number | undefined
  /** The key names an instrument of the percussion channel, not a pitch. */
  readonly percussion: boolean
  /** A pitch that moves without steps, and stays at its end. */
  readonly slide?: PitchSlide | undefined
  readonly voice: string
  /** From 1. */
  readonly staff: number
  /**
   * The `note` elements that are printed for it, several if they are tied. None for the chord of a chord symbol, and for a
   * note that a measure-repeat sign plays.
   */
  readonly elements: readonly Element[]
}

export interface PitchSlide {
  readonly startTick: number
  readonly endTick: number
  /** Upwards if positive. */
  readonly semitones: number
}

export interface ControlChange {
  readonly tick: number
  /** 7 volume, 10 pan, 64 damper, 66 sostenuto, 67 soft pedal. */
  readonly controller: number
  /** 0–127. */
  readonly value: number
}

export interface Lyric {
  readonly tick: number
  /** One syllable, without hyphens. */
  readonly text: string
  /** The syllable is the last of its word. */
  readonly wordEnds: boolean
}
