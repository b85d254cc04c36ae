import { hash } from 'node:crypto'
import type { Exercise } from '../../../contract/exercises.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { Options } from './content.ts'

/**
 * Returns the ids of the exercises of a worksheet in the order of one student or group; undefined unless the
 * assignment shuffles its exercises. The order is the same each time, and other exercises keep their places
 * relative to each other when one is added or removed.
 * @param holder the id of the student or group
 */
export function shuffledExerciseIds(
  { id: assignment, options, exercises }: Pick<AssignmentsTable, 'id' | 'options' | 'exercises'>,
  holder: string,
): string[] | undefined {
  const { shuffleExercises }: Options = JSON.parse(options)
  if (shuffleExercises !== true || exercises === null) return undefined
  const keyOf = (id: string) => hash('sha256', JSON.stringify([assignment, holder, id]))
  return (JSON.parse(exercises) as Exercise[])
    .map(({ id }) => ({ id, key: keyOf(id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ id }) => id)
}

/** Sorts exercises in the order of these ids. Exercises without a place are at the end. */
export function sortExercises<Item extends { id: string }>(
  exercises: readonly Item[],
  ids: readonly string[],
): Item[] {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Item) => places.get(id) ?? ids.length
  return exercises.toSorted((one, other) => placeOf(one) - placeOf(other))
}
