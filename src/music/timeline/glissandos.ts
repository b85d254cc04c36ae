import type { KeyAlterations } from './key-alterations.ts'
import { steps } from './key-alterations.ts'
import { semitonesOf } from './pitch.ts'

/** The General MIDI programs of keyboards and mallet instruments, which slide over keys or bars of one color. */
const LAST_MALLET = 15
const ORGANS = { first: 16, last: 23 }
const HARP = 46
const blackKeys = new Set([1, 3, 6, 8, 10])

/** The instrument that plays a glissando, and the key signature in which its pedals are set. */
export interface Player {
  /** General MIDI, 0–127. */
  readonly program: number
  readonly key: KeyAlterations
}

/**
 * The notes of a glissando between two keys as intervals from the first one, without the last one: the single
 * notes on the way are heard (MusicXML 4.0, element `glissando`). Keyboards, mallets and organs
 * play the white keys, or the black ones between two black keys. A harp plays the notes of its key signature,
 * and all other instruments every semitone.
 */
export function glissandoSteps(from: number, to: number, { program, key }: Player): number[] {
  const direction = Math.sign(to - from)
  const isPlayed = keysOf(from, to, program, key)
  const played = [0]
  for (let at = from + direction; at !== to && direction !== 0; at += direction) {
    if (isPlayed(((at % 12) + 12) % 12)) played.push(at - from)
  }
  return played
}

function keysOf(
  from: number,
  to: number,
  program: number,
  key: KeyAlterations,
): (pitchClass: number) => boolean {
  if (program <= LAST_MALLET || (program >= ORGANS.first && program <= ORGANS.last)) {
    const isBlack = blackKeys.has(from % 12) && blackKeys.has(to % 12)
    return (pitchClass) => blackKeys.has(pitchClass) === isBlack
  }
  if (program !== HARP) return () => true
  const scale = new Set(steps.map((step) => ((semitonesOf.get(step) ?? 0) + (key.get(step) ?? 0) + 12) % 12))
  return (pitchClass) => scale.has(pitchClass)
}
