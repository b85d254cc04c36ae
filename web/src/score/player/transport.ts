import type { CountIn, Passage } from './places.ts'

/** How loud a part is played: 1 as written, 0 not at all. */
export type PartLevel = number

/** A printed note that is played alone, without the music around it. */
export interface StruckNote {
  /** The place of the part in the score, from 0. */
  readonly part: number
  /** MIDI key. */
  readonly key: number
  /** Where the note is in the music, in seconds at the written tempo. Its sound and its loudness are those of this place. */
  readonly start: number
}

/** The controls of what plays the music: a sequencer, or an engine that may have one in another thread. */
export interface Transport {
  /** @param countIn beats that sound before the music begins */
  play(countIn?: CountIn): void
  pause(): void
  /** @param seconds at the written tempo */
  seek(seconds: number): void
  /** @param tempo 1 for the written one */
  setTempo(tempo: number): void
  /** Repeats a passage until it is set to undefined. */
  setLoop(loop: Passage | undefined): void
  setMetronome(isOn: boolean): void
  setLevels(levels: readonly PartLevel[]): void
  /** @param reverbs the reverberation of each part in percent; undefined as it is written */
  setReverbs(reverbs: readonly (number | undefined)[]): void
  /** Plays notes while the music rests. */
  strike(notes: readonly StruckNote[]): void
}

/** A call of a control as a message. */
export type Control = {
  [Name in keyof Transport]: {
    readonly kind: 'control'
    readonly name: Name
    readonly value: Parameters<Transport[Name]>[0]
  }
}[keyof Transport]

/** Calls the control that a message names. */
export function applyControl(to: Transport, { name, value }: Control): void {
  const control = to[name] as (value: unknown) => void
  control(value)
}
