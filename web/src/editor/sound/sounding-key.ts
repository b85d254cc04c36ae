import { child, childText, type ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Pitch } from '../../../../src/music/editing/note-element.ts'

const semitonesOf: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** MIDI keys from the written to the sounding pitch of a part, by its first transposition. */
function transpositionOf(document: ScoreDocument, part: string): number {
  for (const element of document.root.children) {
    if (element.uuid !== part) continue
    for (const measure of element.children)
      for (const attributes of measure.children) {
        const transpose = attributes.name === 'attributes' ? child(attributes, 'transpose') : undefined
        if (transpose)
          return (
            (Number(childText(transpose, 'chromatic')) || 0) +
            12 * (Number(childText(transpose, 'octave-change')) || 0)
          )
      }
  }
  return 0
}

/** The MIDI key that sounds when a part plays a written pitch. */
export const soundingKey = (document: ScoreDocument, part: string, { step, alter, octave }: Pitch): number =>
  12 * (octave + 1) + (semitonesOf[step] ?? 0) + Math.round(alter) + transpositionOf(document, part)
