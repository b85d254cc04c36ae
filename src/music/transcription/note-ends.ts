import { placeAt } from '../../lib/numbers.ts'
import type { GridWindow } from './grid.ts'
import { beatStarts, type Measure, QUARTER } from './measures.ts'
import type { VoiceChord } from './staff-note.ts'
import { plainSymbols } from './symbols.ts'

/** An end this near to a step of the grid, in units, is meant to be there. */
const EXACT = 0.016 * QUARTER
/** The share of the time to the next note after which a note almost reaches it. */
const ALMOST = 0.7
/** What the symbols of a note cost, and a change of its length by a factor of two. */
const TIE = 2
const DOT = 0.5
const LENGTHENED = 0.45
const SHORTENED = 2.5
/** An end within a tuplet that the note does not begin in. */
const IN_TUPLET = 3
/** A note that sounds for less than this share of its value is staccato. */
const STACCATO_SHARE = 0.55

export interface SnappedEnd {
  readonly at: number
  /** The end as it was played is there. */
  readonly isExact: boolean
}

/**
 * Finds where notes end in notation: with as few rests and ties as the performance allows.
 * @param isPlayed the ends are those of a performance, so that none of them is meant exactly
 */
export function endFinder(windows: readonly GridWindow[], measures: readonly Measure[], isPlayed: boolean) {
  const beats = beatStarts(measures)
  const windowStarts = windows.map(({ start }) => start)
  const measureStarts = measures.map(({ start }) => start)
  const pieceEnd = beats.at(-1) ?? 0

  function windowAt(at: number): GridWindow | undefined {
    return windows[placeAt(windowStarts, at)]
  }

  function measureAt(at: number): Measure {
    const place = placeAt(measureStarts, at)
    return measures[Math.max(0, place)] as Measure
  }

  function snap(end: number, start: number): SnappedEnd {
    const window = windowAt(end)
    if (window === undefined || end >= pieceEnd) return { at: pieceEnd, isExact: false }
    const step = stepOf(window)
    const at = window.start + Math.round((end - window.start) / step) * step
    return {
      at: Math.max(at, firstEnd(start)),
      isExact: !isPlayed && Math.abs(end - at) <= EXACT && at > start,
    }
  }

  /** The first place after a start at which its window, or the next one, has a step. */
  function firstEnd(start: number): number {
    const window = windowAt(start)
    if (window === undefined) return start + QUARTER / 4
    const step = stepOf(window)
    return window.start + Math.floor((start - window.start) / step + 1.0001) * step
  }

  function beatAfter(at: number): number {
    return beats[placeAt(beats, at) + 1] ?? pieceEnd
  }

  function isWithinTuplet(at: number): boolean {
    const window = windowAt(at)
    return window?.division.tuplet !== undefined && at > window.start
  }

  /** What a note from a start to an end is to read, with the rests up to a limit. */
  function readingCost(start: number, end: number, limit: number, hasRests: boolean): number {
    let cost = 0
    for (let at = start; at < end; ) {
      const measure = measureAt(at)
      const to = Math.min(end, measure.start + measure.length)
      const symbols = plainSymbols(at - measure.start, to - measure.start, measure, false)
      cost += TIE * symbols.length + symbols.reduce((sum, { dots }) => sum + DOT * dots, 0)
      at = to
    }
    const last = measureAt(end)
    const silent = Math.min(limit, last.start + last.length)
    if (!hasRests || silent <= end || last.start === end) return cost - TIE
    return cost - TIE + plainSymbols(end - last.start, silent - last.start, last, true).length
  }

  /** The end that is easiest to read and not far from the one that was played. */
  function readableEnd(start: number, sounding: number, limit: number, hasRests: boolean): number {
    const played = start + sounding
    const candidates = [limit, Math.max(snap(played, start).at, firstEnd(start))]
    for (let beat = beatAfter(start); beat < limit; beat = beatAfter(beat)) {
      candidates.push(beat)
      if (beat >= played) break
    }
    const half = Math.ceil((played - 1) / (QUARTER / 2)) * (QUARTER / 2)
    if (half > start) candidates.push(half)
    let best = { end: limit, cost: Number.POSITIVE_INFINITY }
    for (const end of candidates) {
      if (end > limit) continue
      const octaves = Math.log2((end - start) / sounding)
      const change = octaves > 0 ? LENGTHENED * octaves : -SHORTENED * octaves
      const cost = readingCost(start, end, limit, hasRests) + change + (isWithinTuplet(end) ? IN_TUPLET : 0)
      if (cost < best.cost) best = { end, cost }
    }
    return best.end
  }

  /** Within a tuplet, notes end where it has a step. */
  function onTuplet(end: number, start: number): number {
    const window = windowAt(end)
    if (window?.division.tuplet === undefined) return end
    const step = window.length / window.division.steps
    const at = window.start + Math.round((end - window.start) / step) * step
    return at > start ? at : at + step
  }

  /**
   * Gives a chord its written end.
   * @param next the start of the next chord of the voice
   * @param options.hasNoEnd how long the chord sounds says nothing
   * @param options.hasRests silence after the chord is printed
   */
  function finish(
    chord: VoiceChord,
    next: number | undefined,
    { hasNoEnd, hasRests }: { hasNoEnd: boolean; hasRests: boolean },
  ): void {
    const limit = next ?? pieceEnd
    const { start } = chord
    if (hasNoEnd) {
      chord.end = Math.min(limit, beatAfter(start))
      return
    }
    const exact = snap(chord.end, start)
    const sounding = Math.max(1, chord.end - start)
    const isInTuplet = windowAt(start)?.division.tuplet !== undefined
    if (exact.at >= limit || limit - start <= QUARTER / 8) chord.end = limit
    else if (exact.isExact && isMeant(start, exact.at, limit) && (isInTuplet || !isWithinTuplet(exact.at)))
      chord.end = exact.at
    else if (isInTuplet && (limit - start <= QUARTER || sounding * 2 > limit - start)) chord.end = limit
    else chord.end = readableEnd(start, sounding, limit, hasRests)
    chord.end = onTuplet(chord.end, start)
    chord.isStaccato = sounding < STACCATO_SHARE * (chord.end - start) && chord.end - start <= 1.5 * QUARTER
  }

  return { snap, finish }
}

/**
 * Whether an end on the grid is that of the notation. A note up to a 16th long, with as much silence after it, is rather a longer
 * staccato note, and one that ends shortly before the next one between two eighths lasts until it.
 */
function isMeant(start: number, end: number, next: number): boolean {
  if (end - start <= QUARTER / 4 && next - start >= 2 * (end - start)) return false
  return end % (QUARTER / 2) === 0 || end - start < ALMOST * (next - start)
}

/** The step of a window on which a note can end: its own, but at most a 16th note outside of tuplets. */
function stepOf({ length, division: { steps, tuplet } }: GridWindow): number {
  const own = length / steps
  return tuplet === undefined ? Math.min(own, QUARTER / 4) : own
}
