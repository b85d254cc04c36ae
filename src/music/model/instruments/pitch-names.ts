import { semitonesOfStep } from '../steps.ts'

const semitones: Readonly<Record<string, number>> = semitonesOfStep
const alterations: Readonly<Record<string, number>> = { b: -1, '': 0, '#': 1 }

export interface NamedPitch {
  readonly step: string
  readonly alter: number
  readonly octave: number
  /** The MIDI key. 60 is the middle C. */
  readonly key: number
}

/**
 * Reads a pitch of the instrument table: a step, `#` or `b`, and an octave. C4 is the middle C.
 * @throws Error if the text is no such pitch
 */
export function pitchNamed(name: string): NamedPitch {
  const [, step = '', sign = '', octave = ''] = /^([A-G])([b#]?)(\d)$/.exec(name) ?? []
  const [semitone, alter] = [semitones[step], alterations[sign]]
  if (semitone === undefined || alter === undefined) throw new Error(`“${name}” is no pitch.`)
  return { step, alter, octave: Number(octave), key: 12 * (Number(octave) + 1) + semitone + alter }
}
