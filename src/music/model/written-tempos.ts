import { child, childrenNamed, type Element } from './document.ts'
import { metronomeMarkOf } from '../timeline/metronome.ts'

export interface Tempo {
  /** Quarter notes per minute, to a thousandth, above 0. */
  readonly qpm: number
  /** Whether the tempo comes from a `sound`, which is exact, or only from a metronome mark. */
  readonly isExact: boolean
}

export interface WrittenTempo extends Tempo {
  /** Index of the measure. */
  readonly column: number
  /** Quarter notes from the beginning of the measure. */
  readonly onset: number
}

/**
 * The numeric tempo of a `direction` or a `sound`. Undefined if there is none, for example for words and
 * metric modulations. A sound has priority over a metronome mark in the same direction.
 */
export function tempoOf(element: Element): Tempo | undefined {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const soundTempo = Number(sound?.attributes.tempo)
  if (isTempo(soundTempo)) return { qpm: toThousandths(soundTempo), isExact: true }
  for (const directionType of childrenNamed(element, 'direction-type')) {
    const metronome = child(directionType, 'metronome')
    const mark = metronome && metronomeMarkOf(metronome)
    const shown = mark !== undefined && 'quartersPerMinute' in mark ? mark.quartersPerMinute : 0
    if (isTempo(shown)) return { qpm: toThousandths(shown), isExact: false }
  }
  return undefined
}

/** From a thousandth of a quarter note a minute upwards. */
function isTempo(qpm: number): boolean {
  return qpm >= 0.001 && qpm < Number.POSITIVE_INFINITY
}

function toThousandths(qpm: number): number {
  return Math.round(qpm * 1_000) / 1_000
}

/**
 * The duration of each tempo in written quarter notes, all its sections together, in the order of first
 * appearance. If two marks are at one place, the one of a sound wins, otherwise the later one.
 * @param columns the lengths of the measures in quarter notes
 */
export function tempoDurations(
  marks: readonly WrittenTempo[],
  columns: readonly number[],
): Map<number, number> {
  const starts: number[] = []
  let end = 0
  for (const length of columns) {
    starts.push(end)
    end += length
  }
  const sortedMarks = marks
    .map(({ qpm, isExact, column, onset }) => ({ qpm, isExact, at: (starts[column] ?? end) + onset }))
    .sort((a, b) => a.at - b.at || Number(a.isExact) - Number(b.isExact))
  const durations = new Map<number, number>()
  sortedMarks.forEach(({ qpm, at }, index) => {
    const next = sortedMarks[index + 1]
    if (next?.at === at) return
    durations.set(qpm, (durations.get(qpm) ?? 0) + (next?.at ?? end) - at)
  })
  return durations
}
