import { placeAt } from '../../lib/numbers.ts'
import { type TempoMark, tempoMarksOf } from './tempo-marks.ts'
import type { WrittenPart } from './written.ts'

/** A tempo from a tick of the written score until the next tempo. */
export interface WrittenTempo {
  readonly tick: number
  readonly quartersPerMinute: number
}

/** MusicXML has no default. This is the default of MIDI and of most programs. */
const DEFAULT_TEMPO = 120
/** The slowest that a MIDI file can hold (24 bits of microseconds), and more than any music needs. */
const SLOWEST_TEMPO = 3.6
const FASTEST_TEMPO = 10_000
const MOST_STEPS_OF_A_CHANGE = 64
/** After the end of a change. */
const MEASURES_TO_FOLLOW_UP = 3

/**
 * Returns the tempos of the written score, every measure once, by tick. The first one is at tick 0. So a
 * repeated measure is played again in its own tempo.
 *
 * - Ritardando and accelerando change the tempo in steps of an eighth note until the next mark, at most to
 * the end of their dashes, or without dashes to the end of the following measure. The new tempo holds until the next
 * mark if it comes soon. Otherwise the tempo before returns. The same applies to ritenuto.
 * - "A tempo" returns from a change to the tempo before it, or else from "meno mosso" and the like to the tempo
 * before that.
 * - A mark in the first measure, or at the start of the second one after a pickup, is the tempo from the
 * beginning.
 * - A fermata stretches the time under it (MusicXML 4.0, element `fermata`), once if several parts have one. Of those
 * that end together, the shortest note is stretched: all performers wait on the last beat.
 */
export function writtenTemposOf(
  parts: readonly WrittenPart[],
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): WrittenTempo[] {
  const tempos = temposOf(tempoMarksOf(parts, columnStarts, ticksPerQuarter), columnStarts, ticksPerQuarter)
  return stretchTempos(tempos, heldSpansOf(parts, columnStarts))
}

interface TempoState {
  readonly tempos: WrittenTempo[]
  /** The current tempo, the target of "a tempo", and the first tempo. */
  current: number
  base: number
  first: number | undefined
  /** The base before "meno mosso" and the like, until another tempo or change. */
  beforeRelative: number | undefined
}

function temposOf(
  marks: readonly TempoMark[],
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): WrittenTempo[] {
  const state: TempoState = {
    tempos: [],
    current: DEFAULT_TEMPO,
    base: DEFAULT_TEMPO,
    first: undefined,
    beforeRelative: undefined,
  }
  for (const [index, mark] of marks.entries()) {
    const { beforeRelative } = state
    state.beforeRelative = undefined
    switch (mark.kind) {
      case 'number':
      case 'tempo':
        setBase(state, openingTick(state, mark.tick, columnStarts), mark.quartersPerMinute)
        break
      case 'modulation':
        setBase(state, mark.tick, state.current * mark.factor)
        break
      case 'relative':
        state.beforeRelative = beforeRelative ?? state.base
        setBase(state, mark.tick, state.base * mark.factor)
        break
      case 'tempo primo':
        setBase(state, mark.tick, state.first ?? state.base)
        break
      case 'a tempo':
        set(state, mark.tick, beforeRelative ?? state.base)
        state.base = state.current
        break
      case 'held':
        set(state, mark.tick, state.base * mark.factor)
        returnToBaseTempo(state, endOfChange(mark, columnStarts), marks[index + 1]?.tick, columnStarts)
        break
      case 'gradual': {
        const next = marks[index + 1]
        const natural = endOfChange(mark, columnStarts)
        const end = Math.min(next?.tick ?? Number.POSITIVE_INFINITY, natural)
        // A second "rit." during the first goes on from the tempo that the first has reached by then.
        const isContinued = next?.kind === 'gradual' && next.factor < 1 === mark.factor < 1
        change(
          state,
          { from: mark.tick, to: isContinued ? natural : end, until: end },
          mark.factor,
          ticksPerQuarter,
        )
        returnToBaseTempo(state, natural, next?.tick, columnStarts)
        break
      }
    }
  }
  return inOrder([{ tick: 0, quartersPerMinute: DEFAULT_TEMPO }, ...state.tempos])
}

function set(state: TempoState, tick: number, quartersPerMinute: number): void {
  state.current = Math.min(FASTEST_TEMPO, Math.max(SLOWEST_TEMPO, quartersPerMinute))
  state.tempos.push({ tick, quartersPerMinute: state.current })
}

function setBase(state: TempoState, tick: number, quartersPerMinute: number): void {
  set(state, tick, quartersPerMinute)
  state.base = state.current
  state.first ??= state.current
}

/** Moves the first mark to the start. It is often after a pickup, or a little late in the first measure. */
function openingTick(state: TempoState, tick: number, columnStarts: readonly number[]): number {
  if (state.tempos.length > 0) return tick
  const [, second = 0, third = second] = columnStarts
  return tick < second || (tick === second && second < third - second) ? 0 : tick
}

/** Where a change ends if no mark ends it before. */
function endOfChange({ tick, dashesEnd }: TempoMark, columnStarts: readonly number[]): number {
  if (dashesEnd !== undefined && dashesEnd > tick) return dashesEnd
  return columnStarts[placeAt(columnStarts, tick) + 2] ?? columnStarts.at(-1) ?? tick
}

/** Returns to the base tempo after a change if no mark follows within a few measures, except at the end. */
function returnToBaseTempo(
  state: TempoState,
  end: number,
  next: number | undefined,
  columnStarts: readonly number[],
): void {
  const followUpEnd = columnStarts[placeAt(columnStarts, end) + MEASURES_TO_FOLLOW_UP]
  if (followUpEnd !== undefined && (next === undefined || next > followUpEnd)) set(state, end, state.base)
}

/** The ticks in which a gradual change takes place, if nothing ends it before. */
interface ChangeSpan {
  readonly from: number
  readonly to: number
  readonly until: number
}

/** Steps towards that many times the base tempo, and in any case a little further than now. */
function change(
  state: TempoState,
  { from, to, until }: ChangeSpan,
  factor: number,
  ticksPerQuarter: number,
): void {
  const { current, base } = state
  const target =
    factor < 1 ? Math.min(current * 0.95, base * factor) : Math.max(current * 1.05, base * factor)
  const steps = Math.min(MOST_STEPS_OF_A_CHANGE, Math.ceil((to - from) / (ticksPerQuarter / 2)))
  for (let step = 0; step < steps; step++) {
    const tick = from + Math.round((step * (to - from)) / steps)
    if (tick >= until) break
    set(state, tick, current + ((target - current) * (step + 1)) / steps)
  }
}

/** By tick, the last one of each. */
function inOrder(tempos: readonly WrittenTempo[]): WrittenTempo[] {
  const sorted = tempos.toSorted((a, b) => a.tick - b.tick)
  return sorted.filter((tempo, index) => sorted[index + 1]?.tick !== tempo.tick)
}

interface HeldSpan {
  readonly start: number
  readonly end: number
  readonly stretch: number
}

/**
 * The ranges under fermatas, by tick, without overlap. Of those that start or end at one place, the shortest note wins.
 */
function heldSpansOf(parts: readonly WrittenPart[], columnStarts: readonly number[]): HeldSpan[] {
  const byEnd = new Map<number, HeldSpan>()
  for (const part of parts) {
    for (const [column, { fermatas }] of part.measures.entries()) {
      for (const { at, duration, stretch } of fermatas) {
        const start = (columnStarts[column] ?? 0) + at
        const end = start + duration
        const other = byEnd.get(end)
        byEnd.set(end, {
          start: Math.max(start, other?.start ?? 0),
          end,
          stretch: Math.max(stretch, other?.stretch ?? 1),
        })
      }
    }
  }
  const byStart = new Map<number, HeldSpan>()
  for (const span of byEnd.values()) {
    const other = byStart.get(span.start)
    byStart.set(span.start, {
      start: span.start,
      end: Math.min(span.end, other?.end ?? Number.POSITIVE_INFINITY),
      stretch: Math.max(span.stretch, other?.stretch ?? 1),
    })
  }
  const spans = [...byStart.values()].sort((a, b) => a.start - b.start)
  return spans.map((span, index) => ({
    ...span,
    end: Math.min(span.end, spans[index + 1]?.start ?? span.end),
  }))
}

function stretchTempos(tempos: readonly WrittenTempo[], spans: readonly HeldSpan[]): WrittenTempo[] {
  const changed: WrittenTempo[] = []
  let place = 0
  const tempoAt = (tick: number) => {
    while ((tempos[place + 1]?.tick ?? Number.POSITIVE_INFINITY) <= tick) place += 1
    return tempos[place]?.quartersPerMinute ?? DEFAULT_TEMPO
  }
  let next = 0
  for (const { start, end, stretch } of spans) {
    for (; (tempos[next]?.tick ?? Number.POSITIVE_INFINITY) < start; next++)
      changed.push(tempos[next] as WrittenTempo)
    changed.push({ tick: start, quartersPerMinute: Math.max(SLOWEST_TEMPO, tempoAt(start) / stretch) })
    for (; (tempos[next]?.tick ?? Number.POSITIVE_INFINITY) < end; next++) {
      const { tick, quartersPerMinute } = tempos[next] as WrittenTempo
      if (tick > start)
        changed.push({ tick, quartersPerMinute: Math.max(SLOWEST_TEMPO, quartersPerMinute / stretch) })
    }
    changed.push({ tick: end, quartersPerMinute: tempoAt(end) })
  }
  return inOrder([...changed, ...tempos.slice(next)])
}
