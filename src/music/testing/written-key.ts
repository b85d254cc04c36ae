import { child, childrenNamed, childText, type Element, measuresOf } from '../model/document.ts'

const semitones: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/**
 * Returns a function that computes the MIDI key of a note of a part, as simply as possible: for parts with one transposition, and percussion with an
 * instrument for each key. Rests have none.
 */
export function miniKeyOf(
  scorePart: Element | undefined,
  part: Element,
): (note: Element) => number | undefined {
  const attributes = childrenNamed(measuresOf(part)[0] ?? part, 'attributes')[0]
  const transpose = attributes && child(attributes, 'transpose')
  const number = (name: string) => Number((transpose && childText(transpose, name)) ?? 0)
  const shift = number('chromatic') + 12 * number('octave-change')
  const drums = new Map(
    childrenNamed(scorePart ?? part, 'midi-instrument').map((midi) => [
      midi.attributes.id,
      Number(childText(midi, 'midi-unpitched')) - 1,
    ]),
  )
  return (note) => {
    const pitch = child(note, 'pitch')
    if (pitch === undefined) return drums.get(child(note, 'instrument')?.attributes.id)
    const step = semitones[childText(pitch, 'step') ?? ''] ?? 0
    return (
      12 * (Number(childText(pitch, 'octave')) + 1) + step + Number(childText(pitch, 'alter') ?? 0) + shift
    )
  }
}
