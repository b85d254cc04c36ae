import type { Figure, Glissando, Ornament, Slide, Tremolo, Trill } from './ornament.ts'

/** A note that an ornament strikes. */
export interface Strike {
  /** Semitones from the written note. */
  readonly interval: number
  /** Ticks of the playback. */
  readonly start: number
  readonly end: number
}

/** A note from its onset to its release, and the ticks of a second there. */
export interface Room {
  readonly start: number
  readonly end: number
  readonly ticksPerSecond: number
}

/** The notes of a trill or an unmeasured tremolo in a second: about as many as a skilled player has. */
const TRILL_SPEED = 12
/** The notes of a turn in a second when its note is long, and those of a mordent. */
const FIGURE_SPEED = 10
/** Nothing is struck faster, except in a glissando. */
const FASTEST = 30
const FASTEST_GLISSANDO = 60
/** An ornament with more notes, a quarter of an hour of a trill, is its written note. */
const MOST_STRIKES = 10_000
/** A delayed turn takes at most this share of its note. */
const DELAYED_SHARE = 0.5

/**
 * The notes that an ornament strikes in the time of its note, by time. Each one ends where the next one begins.
 * Undefined if the note is too short for it.
 */
export function strikesOf(ornament: Exclude<Ornament, Slide>, room: Room): Strike[] | undefined {
  switch (ornament.kind) {
    case 'trill':
      return trillStrikes(ornament, room)
    case 'figure':
      return figureStrikes(ornament, room)
    case 'tremolo':
      return tremoloStrikes(ornament, room)
    case 'glissando':
      return glissandoStrikes(ornament, room)
  }
}

/** The largest number of equal notes that fit. */
const fitting = ({ start, end, ticksPerSecond }: Room, fastest = FASTEST) =>
  Math.floor(Math.min(end - start, ((end - start) * fastest) / ticksPerSecond))

/** A trill ends on the written note, so its number of notes follows from the note that it begins with. */
function trillStrikes(trill: Trill, room: Room): Strike[] | undefined {
  const seconds = (room.end - room.start) / room.ticksPerSecond
  const wanted = trill.beats ?? Math.round(seconds * TRILL_SPEED)
  const ending = trill.turn === undefined ? [] : [trill.turn, 0]
  const opening = trill.start === 'below' ? [trill.lower] : []
  const isFromMain = trill.start !== 'upper'
  const most = Math.min(Math.max(4, wanted), fitting(room)) - ending.length - opening.length
  const pairs = Math.floor((isFromMain ? most - 1 : most) / 2)
  if (pairs < 1 || most > MOST_STRIKES) return undefined
  const intervals = [...opening, ...(isFromMain ? [0] : [])]
  for (let pair = 0; pair < pairs; pair++) intervals.push(trill.upper, 0)
  const bend = trill.accelerates ? 0.8 : 1
  return evenly([...intervals, ...ending], room, bend)
}

/** @param bend below 1, the notes become shorter and shorter */
function evenly(intervals: readonly number[], { start, end }: Room, bend = 1): Strike[] {
  const count = intervals.length
  const at = (index: number) => start + Math.round((end - start) * (index / count) ** bend)
  return intervals.map((interval, index) => ({ interval, start: at(index), end: at(index + 1) }))
}

function figureStrikes({ steps, isDelayed, secondAt, lastAt }: Figure, room: Room): Strike[] | undefined {
  const { start, end, ticksPerSecond } = room
  const length = end - start
  if (fitting(room) < steps.length + Number(isDelayed)) return undefined
  if (isDelayed) {
    const each = Math.min((length * DELAYED_SHARE) / steps.length, ticksPerSecond / FIGURE_SPEED)
    const from = Math.round(end - each * steps.length)
    return [{ interval: 0, start, end: from }, ...evenly(steps, { ...room, start: from })]
  }
  const each = Math.min(length / steps.length, ticksPerSecond / FIGURE_SPEED)
  const last = steps.length - 1
  const second = secondAt === undefined ? each : (length * secondAt) / 100
  const lastOne = lastAt === undefined ? each * last : (length * lastAt) / 100
  const at = (index: number) => {
    if (index === 0) return start
    const share = last > 1 ? (index - 1) / (last - 1) : 0
    return Math.round(start + second + (Math.max(second, lastOne) - second) * share)
  }
  return steps
    .map((interval, index) => ({ interval, start: at(index), end: index === last ? end : at(index + 1) }))
    .filter((strike) => strike.end > strike.start)
}

function tremoloStrikes({ stroke, turn }: Tremolo, room: Room): Strike[] | undefined {
  const { start, end, ticksPerSecond } = room
  const isPlayable = stroke !== undefined && stroke * FASTEST >= ticksPerSecond
  const each = isPlayable ? stroke : ticksPerSecond / TRILL_SPEED
  const turns = turn === undefined ? 1 : 2
  // Alternating notes end together, so there is a whole number of turns.
  const count = Math.max(1, Math.round((end - start) / each / turns)) * turns
  if (count < 2 || count > MOST_STRIKES || end - start < count) return undefined
  const strikes = evenly(new Array<number>(count).fill(0), room)
  return turn === undefined ? strikes : strikes.filter((_, index) => index % 2 === (turn === 'first' ? 0 : 1))
}

function glissandoStrikes({ steps }: Glissando, room: Room): Strike[] | undefined {
  const most = fitting(room, FASTEST_GLISSANDO)
  if (most < 2 || steps.length < 2) return undefined
  const every = Math.ceil(steps.length / most)
  return evenly(
    steps.filter((_, index) => index % every === 0),
    room,
  )
}
