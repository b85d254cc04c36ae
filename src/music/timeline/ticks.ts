import { childText, measuresOf, partsOf, type ScoreDocument } from '../document.ts'

/** The finest grid that the division of a Standard MIDI File can name (its header chunk has 15 bits for it). */
const MAX_TICKS_PER_QUARTER = 32_767
/** Fine enough for what is rounded to it: grace notes, arpeggios, steps of a ritardando. */
const MIN_TICKS_PER_QUARTER = 960

/**
 * Ticks in a quarter note so that all durations of the score are whole: the least common multiple of the denominators
 * of `duration` / `divisions` in lowest terms, times what is needed to reach 960. `divisions` themselves do not count:
 * 10,080 of them with notes of 5,040 only need halves. Where that would exceed 32,767 (say sevenths, elevenths,
 * thirteenths and 64ths in one score), the finest denominators are left out; only their notes are rounded then, by
 * less than a millisecond.
 *
 * MusicXML 4.0, elements `divisions` and `duration`: both may be decimal, and `divisions` may change mid-part.
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

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** The place of the last entry that is not after the tick; -1 before the first. `ticks` are in order. */
export function placeAt(ticks: readonly number[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ticks[middle] ?? 0) <= tick) low = middle + 1
    else high = middle
  }
  return low - 1
}
