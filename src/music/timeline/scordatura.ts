import { child, childText, type Element } from '../model/document.ts'
import { semitonesOf } from './pitch.ts'
import { tableOf } from './table.ts'
import { numberOf } from './written.ts'

/** By the number of the string: its sounding pitch minus its written pitch, in semitones. */
export type Scordatura = ReadonlyMap<string, number>

export const noScordatura: Scordatura = new Map()

/** The usual keys of the strings, from the first string down, by standard sound (MusicXML 4.0, sounds.xml). */
const tunings = tableOf<readonly number[]>({
  'strings.violin': [76, 69, 62, 55],
  'strings.viola': [69, 62, 55, 48],
  'strings.cello': [57, 50, 43, 36],
  'strings.contrabass': [43, 38, 33, 28],
})

/**
 * The tuning of the strings after a direction (MusicXML 4.0, elements `scordatura` and `accord`). Players of bowed
 * strings read a retuned string as if it were tuned as usual, so its notes sound as much higher or lower as the
 * string. Fretted instruments are written as they sound.
 */
export function scordaturaAfter(direction: Element, sound: string, before: Scordatura): Scordatura {
  const usual = tunings.get(sound)
  if (usual === undefined) return before
  let after: Map<string, number> | undefined
  for (const type of direction.children) {
    const scordatura = type.name === 'direction-type' ? child(type, 'scordatura') : undefined
    for (const accord of scordatura?.children ?? []) {
      const string = accord.attributes.string?.trim() ?? ''
      const open = usual[Number(string) - 1]
      if (accord.name !== 'accord' || open === undefined) continue
      after ??= new Map(before)
      after.set(string, nearestOctave(keyOf(accord) - open))
    }
  }
  return after ?? before
}

/** A string is never retuned by more than half an octave. A larger difference is an octave of the notation. */
const nearestOctave = (semitones: number) => semitones - 12 * Math.round(semitones / 12)

function keyOf(accord: Element): number {
  const step = semitonesOf.get(childText(accord, 'tuning-step') ?? '') ?? 0
  const octave = numberOf(childText(accord, 'tuning-octave')) ?? 4
  return (octave + 1) * 12 + step + (numberOf(childText(accord, 'tuning-alter')) ?? 0)
}

/** The semitones by which a note sounds higher than written. 0 for a note that does not name its string. */
export function retunedBy(note: Element, scordatura: Scordatura): number {
  if (scordatura.size === 0) return 0
  for (const notations of note.children) {
    const technical = notations.name === 'notations' ? child(notations, 'technical') : undefined
    const string = technical && childText(technical, 'string')
    if (string !== undefined) return scordatura.get(string) ?? 0
  }
  return 0
}
