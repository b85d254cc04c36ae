import { child, childrenNamed, childText, type Element } from './document.ts'

export interface Tempo {
  /** Quarter notes per minute, to a thousandth, above 0. */
  readonly qpm: number
  /** Told by `sound`, which is exact, or only shown by a metronome mark. */
  readonly told: boolean
}

export interface TempoMark extends Tempo {
  /** Index of the measure. */
  readonly column: number
  /** Quarter notes from the beginning of the measure. */
  readonly onset: number
}

/** Quarter notes of the note values of MusicXML 4.0, note-type-value. */
const quartersOf: Readonly<Record<string, number>> = {
  maxima: 32,
  long: 16,
  breve: 8,
  whole: 4,
  half: 2,
  quarter: 1,
  eighth: 1 / 2,
  '16th': 1 / 4,
  '32nd': 1 / 8,
  '64th': 1 / 16,
  '128th': 1 / 32,
  '256th': 1 / 64,
  '512th': 1 / 128,
  '1024th': 1 / 256,
}

/**
 * The tempo that a `direction` or a `sound` sets, undefined where it sets none. A sound is believed before the metronome
 * mark beside it. Of a mark like "ca. 60–72" the first number counts; metric modulations and words set no tempo here.
 */
export function tempoOf(element: Element): Tempo | undefined {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const told = Number(sound?.attributes.tempo)
  if (isTempo(told)) return { qpm: toThousandths(told), told: true }
  for (const directionType of childrenNamed(element, 'direction-type')) {
    const metronome = child(directionType, 'metronome')
    const shown = metronome === undefined ? undefined : metronomeTempo(metronome)
    if (shown !== undefined) return { qpm: shown, told: false }
  }
  return undefined
}

function metronomeTempo(metronome: Element): number | undefined {
  const perMinute = childText(metronome, 'per-minute')?.match(/\d+(?:[.,]\d+)?/)?.[0]
  const unit = quartersOf[childText(metronome, 'beat-unit') ?? '']
  if (perMinute === undefined || unit === undefined) return undefined
  const dots = childrenNamed(metronome, 'beat-unit-dot').length
  const qpm = Number(perMinute.replace(',', '.')) * unit * (2 - 0.5 ** dots)
  return isTempo(qpm) ? toThousandths(qpm) : undefined
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
export function tempoDurations(marks: readonly TempoMark[], columns: readonly number[]): Map<number, number> {
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
