import type { Measure } from './measures.ts'
import { QUARTER } from './measures.ts'
import { type Division, divisionsOf, type Window, windowsOf } from './windows.ts'

/** A window with its division. Times are in units from the beginning of the piece. */
export interface GridWindow extends Window {
  readonly division: Division
}

/** An onset as it was played. */
export interface Onset {
  /** Units from the beginning of the piece, not whole. */
  readonly at: number
  readonly key: number
}

export interface QuantizedOnsets {
  /** Units from the beginning, whole, in the order of the onsets. */
  readonly starts: readonly number[]
  /** By start, without gaps between the first and the last measure. */
  readonly windows: readonly GridWindow[]
}

/** An onset that moves further than this, in units, is written by a finer division if there is any. */
const FARTHEST = QUARTER / 9
const TOO_FAR = 25
/** Notes whose onsets differ by more than this, in units, are not one chord. */
const ONE_CHORD = QUARTER / 14
const FALSE_CHORD = 4
const FALSE_UNISON = 12
/** No single deviation says more than this against a division. */
const MOST_DOUBT = 40

/**
 * Puts the onsets of one staff on the grid. Each measure is divided into windows, and each window into steps, so that the
 * sum of two costs is as small as possible: how far the onsets move, measured by the noise of the performance, and how hard
 * the division is to read.
 * @param onsets by time
 * @param noise the standard deviation of the onsets from the grid, in units
 */
export function quantizeOnsets(
  onsets: readonly Onset[],
  measures: readonly Measure[],
  noise: number,
): QuantizedOnsets {
  const starts: number[] = []
  const windows: GridWindow[] = []
  let next = 0
  for (const [index, measure] of measures.entries()) {
    const end = index === measures.length - 1 ? Number.POSITIVE_INFINITY : measure.start + measure.length
    const from = next
    while (next < onsets.length && (onsets[next] as Onset).at < end) next += 1
    const inMeasure = onsets.slice(from, next)
    const chosen = inMeasure.length === 0 ? beatWindows(measure) : bestWindows(inMeasure, measure, noise)
    for (const [place, window] of chosen.entries()) {
      windows.push(window)
      const isLast = place === chosen.length - 1
      const windowEnd = isLast ? Number.POSITIVE_INFINITY : window.start + window.length
      for (let at = starts.length; at < next && (onsets[at] as Onset).at < windowEnd; at++)
        starts.push(snapped((onsets[at] as Onset).at, window, window.division.steps))
    }
  }
  return { starts, windows }
}

/** The place of the nearest step of a window. The end of the window counts as a step. */
function snapped(at: number, { start, length }: Window, steps: number): number {
  const step = Math.round(((at - start) * steps) / length)
  return start + (Math.min(steps, Math.max(0, step)) * length) / steps
}

function beatWindows({ start, beats }: Measure): GridWindow[] {
  const windows: GridWindow[] = []
  let at = start
  for (const length of beats) {
    windows.push({ start: at, length, division: divisionsOf(length)[0] as Division })
    at += length
  }
  return windows
}

interface Choice {
  readonly cost: number
  readonly window: GridWindow
  readonly before: Choice | undefined
}

/** The windows with the least cost, by the places at which windows end. */
function bestWindows(onsets: readonly Onset[], measure: Measure, noise: number): GridWindow[] {
  const best = new Map<number, Choice>()
  const windows = windowsOf(measure).sort((a, b) => a.start - b.start || a.length - b.length)
  for (const { start, length } of windows) {
    const before = best.get(start)
    if (start > 0 && before === undefined) continue
    const placed = { start: measure.start + start, length }
    const isLast = start + length === measure.length
    const inWindow = onsets.filter(
      ({ at }) => (start === 0 || at >= placed.start) && (isLast || at < placed.start + length),
    )
    const own = bestDivision(inWindow, placed, noise)
    const cost = (before?.cost ?? 0) + own.cost
    const present = best.get(start + length)
    if (present === undefined || cost < present.cost)
      best.set(start + length, { cost, window: { ...placed, division: own.division }, before })
  }
  const chosen: GridWindow[] = []
  for (let choice = best.get(measure.length); choice !== undefined; choice = choice.before)
    chosen.unshift(choice.window)
  return chosen
}

function bestDivision(
  onsets: readonly Onset[],
  window: Window,
  noise: number,
): { division: Division; cost: number } {
  const candidates = divisionsOf(window.length)
  let best = { division: candidates[0] as Division, cost: Number.POSITIVE_INFINITY }
  for (const division of candidates) {
    const cost = division.cost + misfit(onsets, window, division, noise)
    if (cost < best.cost) best = { division, cost }
  }
  return best
}

function misfit(
  onsets: readonly Onset[],
  window: Window,
  { steps, tuplet }: Division,
  noise: number,
): number {
  let cost = 0
  let first: Onset | undefined
  let firstPlace = Number.NaN
  let isUsed = tuplet === undefined
  for (const onset of onsets) {
    const place = snapped(onset.at, window, steps)
    const moved = Math.abs(onset.at - place)
    cost += Math.min(MOST_DOUBT, (moved / noise) ** 2 / 2)
    if (moved > FARTHEST) cost += TOO_FAR
    isUsed ||= place > window.start && place < window.start + window.length
    if (place === firstPlace && first !== undefined) {
      if (onset.at - first.at > ONE_CHORD && onset.at - first.at > 3 * noise)
        cost += onset.key === first.key ? FALSE_UNISON : FALSE_CHORD
    } else {
      first = onset
      firstPlace = place
    }
  }
  return isUsed ? cost : cost + TOO_FAR
}
