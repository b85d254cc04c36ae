import { greatestCommonDivisor } from '../../lib/numbers.ts'
import { childText, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'

/** The finest grid that the division of a Standard MIDI File can name (its header chunk has 15 bits for it). */
const MAX_TICKS_PER_QUARTER = 32_767
/** Fine enough for grace notes, arpeggios and the steps of a ritardando, which are rounded to it. */
const MIN_TICKS_PER_QUARTER = 960

/**
 * Ticks per quarter note so that all durations of the score are whole: the least common multiple of the
 * denominators of `duration` / `divisions` in lowest terms, multiplied to reach at least 960. `divisions`
 * alone do not count: 10,080 of them with notes of 5,040 only need halves. If the result exceeds 32,767 (for
 * example sevenths, elevenths, thirteenths and 64ths in one score), the finest denominators are dropped. Only
 * their notes are then rounded, by less than a millisecond.
 *
 * MusicXML 4.0, elements `divisions` and `duration`: both may be decimal, and `divisions` may change within a
 * part.
 */
export function ticksPerQuarterOf(document: ScoreDocument): number {
  const denominators = [...denominatorsOf(document)].sort((a, b) => a - b)
  let common = 1
  for (const denominator of denominators) {
    const next = leastCommonMultiple(common, denominator)
    if (next <= MAX_TICKS_PER_QUARTER) common = next
  }
  return common * Math.ceil(MIN_TICKS_PER_QUARTER / common)
}

function denominatorsOf(document: ScoreDocument): Set<number> {
  const seen = new Set<string>()
  const denominators = new Set<number>()
  for (const part of partsOf(document)) {
    let divisions = '1'
    for (const measure of measuresOf(part)) {
      for (const element of measure.children) {
        if (element.name === 'attributes') divisions = childText(element, 'divisions') ?? divisions
        const duration = timed.has(element.name) ? childText(element, 'duration') : undefined
        if (duration === undefined) continue
        const fraction = `${duration}/${divisions}`
        if (seen.has(fraction)) continue
        seen.add(fraction)
        denominators.add(denominatorOf(duration, divisions))
      }
    }
  }
  return denominators
}

const timed = new Set(['note', 'backup', 'forward'])

function denominatorOf(duration: string, divisions: string): number {
  const scale = 10 ** Math.max(decimalsOf(duration), decimalsOf(divisions))
  const numerator = Math.round(Number(duration) * scale)
  const denominator = Math.round(Number(divisions) * scale)
  if (!Number.isFinite(numerator) || !(denominator > 0)) return 1
  return denominator / greatestCommonDivisor(numerator, denominator)
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b
}
