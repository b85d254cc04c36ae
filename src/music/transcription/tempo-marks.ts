import type { Clock } from './clock.ts'

/** A tempo of the score. */
export interface ScoreTempo {
  /** Quarter notes from the beginning. */
  readonly quarter: number
  readonly quartersPerMinute: number
  /** The number of a printed mark, in quarter notes a minute. Undefined if the tempo is only played. */
  readonly printed: number | undefined
}

/** Seconds by which a place may sound earlier or later than it was played. */
const DRIFT = 0.012
/** Tempos that differ by less than this share are the same. */
const SAME = 0.015
/** A printed tempo differs by this share from the one before, and stays for so many quarter notes. */
const NEW_MARK = 0.1
const STEADY = 16
const [SLOWEST, FASTEST] = [3.6, 10_000]

/**
 * The tempos of a score from those of a performance. Many small changes become one tempo a beat at most, and none where the
 * tempo hardly changes, so that every beat sounds when it was played. Marks are printed for the first tempo and for others that stay.
 * @param clock the time of the performance
 * @param changes the places at which the tempo of the performance changes, in quarter notes
 * @param beats the starts of the beats in quarter notes, with the end of the piece
 */
export function tempoMarks(clock: Clock, changes: readonly number[], beats: readonly number[]): ScoreTempo[] {
  const end = beats.at(-1) ?? 0
  const inside = [...new Set([0, ...changes.filter((at) => at > 0 && at < end)])].sort((a, b) => a - b)
  const isSparse = inside.length * 3 < beats.length
  const places = [...(isSparse ? inside : beats.slice(0, -1)), end]
  const tempos: { quarter: number; quartersPerMinute: number }[] = []
  let written = clock.secondsAt(0)
  let tempo = 0
  for (const [index, from] of places.slice(0, -1).entries()) {
    const to = places[index + 1] as number
    const played = tempoBetween(clock, from, to)
    const seconds = clock.secondsAt(to) - written
    const expected = ((to - from) * 60) / tempo
    const isKept =
      tempo > 0 && Math.abs(seconds - expected) <= DRIFT && (!isSparse || Math.abs(played / tempo - 1) < 1e-6)
    if (!isKept) {
      tempo = limited(isSparse || seconds <= 0 ? played : ((to - from) * 60) / seconds)
      if (
        !isSparse &&
        Math.abs(played / tempo - 1) < SAME &&
        Math.abs(seconds - ((to - from) * 60) / played) <= DRIFT / 2
      )
        tempo = limited(played)
      tempos.push({ quarter: from, quartersPerMinute: tempo })
    }
    written += ((to - from) * 60) / tempo
  }
  return withMarks(clock, tempos, end)
}

function withMarks(
  clock: Clock,
  tempos: readonly { quarter: number; quartersPerMinute: number }[],
  end: number,
): ScoreTempo[] {
  let mark = 0
  let markedAt = Number.NEGATIVE_INFINITY
  return tempos.map(({ quarter, quartersPerMinute }, index) => {
    const until = Math.min(end, quarter + STEADY)
    const mean = tempoBetween(clock, quarter, Math.max(until, quarter + 1))
    const next = tempos[index + 1]?.quarter ?? Number.POSITIVE_INFINITY
    const isSteady = next - quarter >= STEADY
    const isNew =
      Math.abs(mean / mark - 1) >= NEW_MARK &&
      Math.abs(mean / quartersPerMinute - 1) < NEW_MARK &&
      quarter - markedAt >= STEADY &&
      end - quarter >= STEADY
    if (index > 0 && !isNew && !(isSteady && Math.abs(quartersPerMinute / mark - 1) >= SAME))
      return { quarter, quartersPerMinute, printed: undefined }
    mark = isSteady ? quartersPerMinute : limited(mean)
    markedAt = quarter
    return { quarter, quartersPerMinute, printed: mark }
  })
}

const tempoBetween = (clock: Clock, from: number, to: number): number =>
  limited(((to - from) * 60) / Math.max(1e-9, clock.secondsAt(to) - clock.secondsAt(from)))

const limited = (tempo: number) => Math.min(FASTEST, Math.max(SLOWEST, tempo))
