import { childText, type Element } from './document.ts'

/**
 * The concert key of a transposing part that shows `fifths`. A key outside of −7…7 is respelled
 * enharmonically.
 * @param transpose the part's `transpose` element, if it has one
 */
export function concertFifths(fifths: number, transpose: Element | undefined): number {
  if (transpose === undefined) return respelled(fifths)
  const chromatic = finiteNumber(childText(transpose, 'chromatic')) ?? 0
  const diatonic = finiteNumber(childText(transpose, 'diatonic')) ?? Math.round((chromatic * 7) / 12)
  return respelled(fifths + fifthsOfInterval(chromatic, diatonic))
}

/** The distance on the circle of fifths of an interval in semitones and steps. Octaves have no distance. */
export function fifthsOfInterval(chromatic: number, diatonic: number): number {
  return 7 * chromatic - 12 * diatonic
}

/** The same key with at most seven sharps or flats. */
export function respelled(fifths: number): number {
  if (Math.abs(fifths) <= 7) return fifths
  const around = fifths % 12
  if (around > 7) return around - 12
  return around < -7 ? around + 12 : around
}

function finiteNumber(text: string | undefined): number | undefined {
  const number = Number(text || undefined)
  return Number.isFinite(number) ? number : undefined
}
