import { dynamicLevels } from '../model/dynamic-levels.ts'

/** A printed dynamic mark. */
export interface DynamicMark {
  /** The index of its measure. The mark is at the beginning of the measure. */
  readonly measure: number
  /** A name of MusicXML's `dynamics`: `mf`. */
  readonly mark: string
}

/** The marks that the import prints, and their velocities. */
const levels = (['ppp', 'pp', 'p', 'mp', 'mf', 'f', 'ff', 'fff'] as const).map(
  (mark) => [mark, dynamicLevels[mark]] as const,
)
/** The velocity must leave a level by this much. Half the distance of two levels is 8. */
const LEAVES = 12
const FEWEST_MEASURES = 2

/**
 * Chooses dynamic marks from the velocities of a part: one at the beginning, and others where it is clearly louder or softer for at least two
 * measures. A part with one velocity throughout gets none, because that is a default and no intention.
 * @param velocities the velocities of the notes in each measure
 */
export function dynamicMarks(velocities: readonly (readonly number[])[]): DynamicMark[] {
  if (new Set(velocities.flat()).size < 2) return []
  const marks: DynamicMark[] = []
  let level: (typeof levels)[number] | undefined
  for (const [measure, own] of velocities.entries()) {
    if (own.length === 0) continue
    const mean = meanOf(own)
    const next = velocities.slice(measure + 1, measure + 9).find((later) => later.length > 0)
    const last = marks.at(-1)
    if (level !== undefined) {
      const [change, nextChange] = [mean - level[1], meanOf(next ?? own) - level[1]]
      if (Math.min(Math.abs(change), Math.abs(nextChange)) <= LEAVES || change * nextChange < 0) continue
    }
    if (last !== undefined && measure - last.measure < FEWEST_MEASURES) continue
    const nearest = levels.reduce((best, one) =>
      Math.abs(one[1] - mean) < Math.abs(best[1] - mean) ? one : best,
    )
    if (nearest === level) continue
    level = nearest
    marks.push({ measure, mark: nearest[0] })
  }
  return marks
}

const meanOf = (velocities: readonly number[]): number =>
  velocities.reduce((sum, velocity) => sum + velocity, 0) / velocities.length
