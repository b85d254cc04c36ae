import { child, childrenNamed, type Element } from './document.ts'
import { metronomeMarkOf } from './timeline/metronome.ts'

export interface Tempo {
  /** Quarter notes per minute, to a thousandth, above 0. */
  readonly qpm: number
  /** Told by `sound`, which is exact, or only shown by a metronome mark. */
  readonly told: boolean
}

export interface WrittenTempo extends Tempo {
  /** Index of the measure. */
  readonly column: number
  /** Quarter notes from the beginning of the measure. */
  readonly onset: number
}

/**
 * The tempo that a `direction` or a `sound` sets in numbers, undefined where it sets none, as words and metric modulations
 * do. A sound is believed before the metronome mark beside it.
 */
export function tempoOf(element: Element): Tempo | undefined {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const told = Number(sound?.attributes.tempo)
  if (isTempo(told)) return { qpm: toThousandths(told), told: true }
  for (const directionType of childrenNamed(element, 'direction-type')) {
    const metronome = child(directionType, 'metronome')
    const mark = metronome && metronomeMarkOf(metronome)
    const shown = mark !== undefined && 'quartersPerMinute' in mark ? mark.quartersPerMinute : 0
    if (isTempo(shown)) return { qpm: toThousandths(shown), told: false }
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
 * For how many quarter notes, as written, each tempo stands, all its stretches taken together, in the order in which the
 * tempos are met. Where two marks stand at one place, one that a sound tells is believed, else the later one.
 * @param columns the lengths of the measures in quarter notes
 */
export function tempoDurations(marks: readonly WrittenTempo[], columns: readonly number[]): Map<number, number> {
  const starts: number[] = []
  let end = 0
  for (const length of columns) {
    starts.push(end)
    end += length
  }
  const placed = marks
    .map(({ qpm, told, column, onset }) => ({ qpm, told, at: (starts[column] ?? end) + onset }))
    .sort((a, b) => a.at - b.at || Number(a.told) - Number(b.told))
  const durations = new Map<number, number>()
  placed.forEach(({ qpm, at }, index) => {
    const next = placed[index + 1]
    if (next?.at === at) return
    durations.set(qpm, (durations.get(qpm) ?? 0) + (next?.at ?? end) - at)
  })
  return durations
}
