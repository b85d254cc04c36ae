import type { Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import { type createSpeller, type Spelling, spelledAbove } from './spelling.ts'
import type { PlacedNote } from './staff-note.ts'

/** The names of alterations from −2 to 2 (MusicXML 4.0, accidental-value). */
const accidentals = ['flat-flat', 'flat', 'natural', 'sharp', 'double-sharp']

/**
 * The signs of a trill: its mark, with the size of the step and the note that begins it for playback, and an accidental if the key
 * signature gives the upper note another pitch.
 * @param written the spelling of the lower note
 * @param semitones from written to sounding pitch
 */
export function trillElements(
  { key, trillKey = key + 2, isTrillFromAbove }: PlacedNote,
  written: Spelling,
  semitones: number,
  speller: ReturnType<typeof createSpeller>,
): Element[] {
  const upper = spelledAbove(written, trillKey - semitones)
  const accidental = upper.alter === speller.alterInKey(upper.step) ? undefined : accidentals[upper.alter + 2]
  const sound = {
    'start-note': isTrillFromAbove ? 'upper' : 'main',
    'trill-step': trillKey - key === 1 ? 'half' : 'whole',
  }
  return [
    node('trill-mark', [], sound),
    ...(accidental === undefined ? [] : [leaf('accidental-mark', accidental, { placement: 'above' })]),
  ]
}
