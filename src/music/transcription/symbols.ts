import { isCompound, type Measure, QUARTER } from './measures.ts'
import type { Tuplet } from './windows.ts'

/** A written note or rest: its place, and its value. Times are whole units from the beginning of the measure. */
export interface WrittenSymbol {
  readonly start: number
  readonly duration: number
  /** The name of the value in MusicXML; undefined if no single symbol has this duration. */
  readonly type: string | undefined
  readonly dots: number
  readonly tuplet?: Pick<Tuplet, 'actual' | 'normal'>
}

const types = ['64th', '32nd', '16th', 'eighth', 'quarter', 'half', 'whole', 'breve', 'long']
const SHORTEST = QUARTER / 16

/** The value of a duration with at most two dots. Undefined if there is none. */
function valueOfUnits(units: number): { type: string; dots: number } | undefined {
  for (const [dots, factor] of [1, 1.5, 1.75].entries()) {
    const power = Math.log2(units / factor / SHORTEST)
    const type = Number.isInteger(power) ? types[power] : undefined
    if (type !== undefined) return { type, dots }
  }
  return undefined
}

/** Writes a tuplet’s note as one or more symbols. Steps count from the beginning of the tuplet. */
export function tupletSymbols(
  from: number,
  to: number,
  { actual, normal, value }: Tuplet,
  window: { readonly start: number; readonly length: number },
): WrittenSymbol[] {
  const step = window.length / actual
  const symbols: WrittenSymbol[] = []
  for (let at = from; at < to; ) {
    const left = to - at
    const single = valueOfUnits(left * value)
    const count = single !== undefined && single.dots < 2 ? left : at % 2 === 1 ? 1 : largestPower(left)
    const written = valueOfUnits(count * value)
    symbols.push({
      start: window.start + at * step,
      duration: count * step,
      type: written?.type,
      dots: written?.dots ?? 0,
      tuplet: { actual, normal },
    })
    at += count
  }
  return symbols
}

const largestPower = (count: number) => 2 ** Math.floor(Math.log2(count))

/**
 * Divides a note or rest outside of tuplets into symbols that show the beat. A note may begin on a weaker place than it
 * crosses only as a plain syncopation, such as a quarter note between two eighth notes. A rest never does.
 * @param measure its beats count; times are relative to its start
 */
export function plainSymbols(from: number, to: number, measure: Measure, isRest: boolean): WrittenSymbol[] {
  const boundaries = boundariesOf(measure)
  const isInThrees = beatsInGroup(measure.meter, measure.beats.length) === 3
  const symbols: WrittenSymbol[] = []
  const add = (start: number, end: number): void => {
    const value = valueOfUnits(end - start)
    const inner = strongestInside(boundaries, start, end)
    if (inner === undefined || (value && isReadable(start, end, inner.level, value.dots))) {
      symbols.push({ start, duration: end - start, type: value?.type, dots: value?.dots ?? 0 })
      return
    }
    const isWeakStart = levelAt(boundaries, start) > inner.level
    const cut = isWeakStart ? inner.first : inner.last
    add(start, cut)
    add(cut, end)
  }
  const isReadable = (start: number, end: number, level: number, dots: number): boolean => {
    const own = levelAt(boundaries, start)
    const duration = end - start
    if (isInThrees && level === halfLevel && Math.max(own, levelAt(boundaries, end)) > level) return false
    if (isRest && dots > 0 && duration > QUARTER && !isCompound(measure.meter)) return false
    if (dots === 2 && (isRest || duration < QUARTER)) return false
    if (own <= level || (level > beatLevel && dots < 2)) return true
    // In 4/4 all but the first beat, and in 2/4 all but the first eighth.
    const isAllButFirst = end === measure.length && own === level + 1 && start === measure.length / 4
    if (!isRest && dots === 1 && isAllButFirst && !isCompound(measure.meter)) return true
    if (isRest || own !== level + 1 || dots > 0) return false
    const isBeatOfCompound = isCompound(measure.meter) && level <= beatLevel
    const middle = start + duration / 2
    return !isBeatOfCompound && level > 0 && levelAt(boundaries, middle) === level
  }
  if (from < to) add(from, to)
  return symbols
}

/** The weight of the places of a measure: 0 is its beginning, larger numbers are weaker. */
type Boundaries = ReadonlyMap<number, number>

const halfLevel = 1
const beatLevel = 2

const known = new Map<string, Boundaries>()
/** Different measures that are kept. Pieces have a few. */
const MOST_KNOWN = 200

function boundariesOf({ beats, length, meter }: Measure): Boundaries {
  const group = beatsInGroup(meter, beats.length)
  const name = `${group}:${beats.join()}`
  const present = known.get(name)
  if (present !== undefined) return present
  const levels = new Map<number, number>([[length, 0]])
  let start = 0
  for (const [index, beat] of beats.entries()) {
    const isHalf = beats.every((one) => one === beat) && index % group === 0 && beats.length % group === 0
    levels.set(start, index === 0 ? 0 : isHalf ? halfLevel : beatLevel)
    for (let inner = SHORTEST; inner < beat; inner += SHORTEST)
      levels.set(start + inner, beatLevel + levelInBeat(inner, beat))
    start += beat
  }
  if (known.size === MOST_KNOWN) known.clear()
  known.set(name, levels)
  return levels
}

/**
 * The beats of a group that is stronger than a beat: three quarters in 6/4, the half notes of 3/2, and the halves of four beats. 0 for
 * measures without groups.
 */
function beatsInGroup({ beats, beatType }: Measure['meter'], count: number): number {
  if (beatType === 4 && beats > 3 && beats % 3 === 0) return 3
  return beatType < 4 || count === 4 ? 2 : 0
}

/** 1 for halves or thirds of the beat, and more for shorter values. */
function levelInBeat(at: number, beat: number): number {
  let unit = isDotted(beat) ? beat / 3 : beat / 2
  let level = 1
  while (at % unit !== 0 && level < 8) {
    unit /= 2
    level += 1
  }
  return level
}

const isDotted = (beat: number) => valueOfUnits(beat)?.dots === 1

function levelAt(boundaries: Boundaries, at: number): number {
  return boundaries.get(at) ?? 9
}

/** The strongest places between two others, the first and the last of them. Undefined if there is none. */
function strongestInside(
  boundaries: Boundaries,
  from: number,
  to: number,
): { level: number; first: number; last: number } | undefined {
  let best: { level: number; first: number; last: number } | undefined
  for (let at = Math.floor(from / SHORTEST + 1) * SHORTEST; at < to; at += SHORTEST) {
    const level = levelAt(boundaries, at)
    if (best === undefined || level < best.level) best = { level, first: at, last: at }
    else if (level === best.level) best.last = at
  }
  return best
}
