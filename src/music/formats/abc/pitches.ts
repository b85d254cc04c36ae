import { child, childText, type Element } from '../../model/document.ts'
import { tableOf } from '../../timeline/table.ts'
import { numberOf } from '../../timeline/written.ts'
import { alterationIn, type Key } from './signs.ts'

export interface PitchWriter {
  /** Forgets the accidentals of the measure before. */
  startMeasure(): void
  /** Returns a note without its length. `octaves` are those that the clef adds. */
  text(note: Element, key: Key, octaves: number): string
  /** Returns a grace note with a length in relation to an eighth. */
  graceText(note: Element, key: Key, octaves: number): string
}

const accidentals = ['__', '_', '=', '^', '^^']
const middleAccidental = 2

/** The lengths of grace notes in relation to an eighth. */
const graceLengths = tableOf({ quarter: '2', half: '4', '16th': '/', '32nd': '/4' })

/**
 * Creates the writer of the pitches of a voice. An accidental holds to the end of the measure, by ABC 2.1 for the note in all
 * octaves, for many programs in its own octave only. An accidental is written unless both lead to the right note without it.
 */
export function pitchWriter(): PitchWriter {
  /** The alterations in force, by step, and by step and octave. Undefined in the map: programs do not agree. */
  let alterations = new Map<string, number | undefined>()

  function text(note: Element, key: Key, octaves: number, isGrace: boolean): string {
    const pitch = child(note, 'pitch')
    const place = pitch ?? child(note, 'unpitched')
    const [stepName, octaveName] = pitch ? ['step', 'octave'] : ['display-step', 'display-octave']
    const written = place && childText(place, stepName)?.toUpperCase()
    const step = written && /^[A-G]$/.test(written) ? written : 'B'
    const octave = Math.round((place && numberOf(childText(place, octaveName))) ?? 4)
    const alter = pitch ? Math.round(numberOf(childText(pitch, 'alter')) ?? 0) : alterationIn(key, step)
    const wanted = Math.max(-2, Math.min(2, alter))

    const names = [step, step + octave]
    const needsAccidental = names.some((name) => {
      return (alterations.has(name) ? alterations.get(name) : alterationIn(key, step)) !== wanted
    })
    if (needsAccidental) for (const name of names) alterations.set(name, isGrace ? undefined : wanted)
    const accidental = needsAccidental ? accidentals[wanted + middleAccidental] : ''
    return accidental + stepInOctave(step, octave - octaves)
  }

  return {
    startMeasure() {
      alterations = new Map()
    },
    text: (note, key, octaves) => text(note, key, octaves, false),
    graceText: (note, key, octaves) =>
      text(note, key, octaves, true) + (graceLengths.get(childText(note, 'type') ?? '') ?? ''),
  }
}

/** Octave 4 has capital letters, octave 5 small ones. */
function stepInOctave(step: string, octave: number): string {
  if (octave > 4) return step.toLowerCase() + "'".repeat(Math.min(9, octave - 5))
  return step + ','.repeat(Math.min(9, 4 - octave))
}
