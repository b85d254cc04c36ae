import type { ClassAssignmentUpdate, Rubric } from '../../../../src/contract/assignments.ts'
import { type Criterion, sumOf } from '../../teaching/rubric.ts'
import { freeId } from './exercise-drafts.ts'

/** A criterion while a teacher writes it. */
export interface CriterionDraft {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly levels: readonly LevelDraft[]
}

export interface LevelDraft {
  readonly id: string
  readonly title: string
  /** As it was typed. */
  readonly points: string
}

/** @param titles the titles of its first levels, the lowest first */
export function newCriterion(taken: readonly string[], titles: readonly string[]): CriterionDraft {
  const levels = titles.map((title, index) => ({ id: String(index + 1), title, points: String(index + 1) }))
  return { id: freeId(taken), title: '', description: '', levels }
}

/** Adds a level with one point more than the highest. */
export function withLevel(criterion: CriterionDraft): CriterionDraft {
  const { levels } = criterion
  const highest = Math.max(0, ...levels.map(pointsOf).filter(Number.isFinite))
  const level = { id: freeId(levels.map(({ id }) => id)), title: '', points: String(highest + 1) }
  return { ...criterion, levels: [...levels, level] }
}

/** A criterion that was written without levels gets one, with all of its points. */
export function criterionDraftOf({ id, title, description = '', points, levels }: Criterion): CriterionDraft {
  const all = levels ?? [{ title, points }]
  return {
    id,
    title,
    description,
    levels: all.map((level, index) => ({ id: String(index + 1), ...level, points: String(level.points) })),
  }
}

/** What is missing in a criterion; undefined if nothing is. */
export type CriterionFault = 'title' | 'levels' | 'points' | undefined

export function criterionFaultOf({ title, levels }: CriterionDraft): CriterionFault {
  if (title.trim() === '') return 'title'
  if (levels.length === 0 || levels.some((level) => level.title.trim() === '')) return 'levels'
  const points = levels.map(pointsOf)
  const isValid = points.every((one) => one >= 0 && one <= 10_000) && new Set(points).size === points.length
  return isValid ? undefined : 'points'
}

/** @param drafts criteria without a fault */
export function rubricOf(drafts: readonly CriterionDraft[]): Rubric | null {
  if (drafts.length === 0) return null
  return {
    criteria: drafts.map(({ id, title, description, levels }) => ({
      id,
      title: title.trim(),
      ...(description.trim() !== '' && { description: description.trim() }),
      points: Math.max(...levels.map(pointsOf)),
      levels: levels.map((level) => ({ title: level.title.trim(), points: pointsOf(level) })),
    })),
  }
}

/**
 * Returns what to save. A rubric that the teacher did not touch stays as another client has written it; with a changed one, the
 * assignment is worth the sum of its criteria.
 */
export function rubricUpdateOf(
  saved: readonly CriterionDraft[],
  drafts: readonly CriterionDraft[],
): Pick<ClassAssignmentUpdate, 'rubric' | 'maxPoints'> {
  if (drafts === saved) return {}
  const rubric = rubricOf(drafts)
  return rubric ? { rubric, maxPoints: sumOf(rubric.criteria) } : { rubric }
}

const pointsOf = ({ points }: LevelDraft): number =>
  points.trim() === '' ? Number.NaN : Number(points.replace(',', '.'))
