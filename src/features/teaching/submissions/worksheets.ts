import type { Exercise, ExerciseAnswer } from '../../../contract/exercises.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { durationOf } from '../assignments/exercises.ts'

type Graded = Pick<AssignmentsTable, 'type' | 'max_points' | 'exercises'>

/**
 * Returns the exercises of a worksheet; undefined for a worksheet without exercises and for other types of
 * assignments.
 */
export function exercisesOf({ type, exercises }: Pick<Graded, 'type' | 'exercises'>): Exercise[] | undefined {
  const isWorksheet = type === 'worksheet' || type === 'worksheetText'
  return isWorksheet && exercises !== null ? JSON.parse(exercises) : undefined
}

/**
 * Returns the maximum points of an assignment: its own setting, otherwise the sum of its exercises; null when
 * there is neither.
 */
export function assignmentMaxPoints(assignment: Graded): number | null {
  const exercises = assignment.max_points === null ? exercisesOf(assignment) : undefined
  return exercises ? round(totalPointsOf(exercises)) : assignment.max_points
}

const totalPointsOf = (exercises: readonly Exercise[]): number =>
  exercises.reduce((sum, exercise) => sum + pointsOf(exercise), 0)
const pointsOf = ({ points = 1 }: Exercise): number => points

/** The points reached, and the points that all exercises are worth. */
export interface WorksheetScore {
  points: number
  of: number
}

/**
 * Computes the points for the answers to a worksheet. A missing answer gives no points. See docs/exercises.md
 * for the rules.
 */
export function gradeWorksheet(
  exercises: readonly Exercise[],
  answers: readonly ExerciseAnswer[],
): WorksheetScore {
  const answersById = new Map(answers.map(({ exercise, answer }) => [exercise, answer]))
  let points = 0
  for (const exercise of exercises) {
    points += pointsOf(exercise) * correctFraction(exercise, answersById.get(exercise.id) ?? [])
  }
  return { points: round(points), of: round(totalPointsOf(exercises)) }
}

/** Converts the points to a grade. They are scaled to `maxPoints` if the assignment has maximum points. */
export function gradeOf(
  { points, of }: WorksheetScore,
  maxPoints: number | null,
): { grade: number; maxPoints: number } {
  if (maxPoints === null) return { grade: points, maxPoints: of }
  return { grade: of > 0 ? round((points / of) * maxPoints) : 0, maxPoints }
}

const round = (number: number): number => Math.round(number * 100) / 100

/** Returns the correct fraction of an exercise, from 0 to 1. */
function correctFraction(exercise: Exercise, answer: readonly string[]): number {
  switch (exercise.type) {
    case 'multipleChoice':
      return choicesFraction(exercise.solution ?? [], answer)
    case 'noteNaming':
      return namesFraction(exercise.notes ?? [], answer)
    case 'rhythm':
      return rhythmFraction(exercise.solution ?? [], answer)
  }
}

/** Each wrong choice cancels one right choice. The result is never negative. */
function choicesFraction(solution: readonly string[], answer: readonly string[]): number {
  const [right, chosen] = [new Set(solution), new Set(answer)]
  const hits = [...right].filter((choice) => chosen.has(choice)).length
  const share = right.size === 0 ? Number(chosen.size === 0) : (2 * hits - chosen.size) / right.size
  return Math.max(0, share)
}

function namesFraction(notes: readonly string[], answer: readonly string[]): number {
  if (notes.length === 0) return 0
  const names = answer.map(nameOf)
  return notes.filter((note, index) => nameOf(note.replace(/\d$/, '')) === names[index]).length / notes.length
}

const syllables: Readonly<Record<string, string>> = {
  do: 'c',
  re: 'd',
  mi: 'e',
  fa: 'f',
  sol: 'g',
  la: 'a',
  si: 'b',
  ti: 'b',
  h: 'b',
}

/** The accidentals that are not written as signs. */
const signs: Readonly<Record<string, string>> = { x: '##', is: '#', isis: '##', es: 'b', eses: 'bb' }

/** German contracts these. */
const contracted: Readonly<Record<string, string>> = {
  es: 'ees',
  eses: 'eeses',
  as: 'aes',
  ases: 'aeses',
  asas: 'aeses',
}

/**
 * Normalizes the name of a note, so that letters, syllables and German names compare equal; undefined for an invalid
 * name. `b` is B natural in all languages, because `bb`, `sib` and `hb` name B flat.
 */
function nameOf(text: string): string | undefined {
  const plain = text.trim().toLowerCase().replaceAll('♯', '#').replaceAll('♭', 'b').replaceAll('é', 'e')
  const [, name, accidental = ''] =
    /^(do|re|mi|fa|sol|la|si|ti|[a-h])\s*(#{0,2}|b{0,2}|x|is|isis|es|eses)$/.exec(
      contracted[plain] ?? plain,
    ) ?? []
  if (name === undefined) return undefined
  return (syllables[name] ?? name) + (signs[accidental] ?? accidental)
}

/**
 * Counts the notes and rests with the right onset and length, divided by the number of events in the longer
 * of the two lists.
 */
function rhythmFraction(right: readonly string[], answer: readonly string[]): number {
  const [expected, played] = [onsets(right), onsets(answer)]
  const eventCount = Math.max(right.length, answer.length)
  if (eventCount === 0) return 0
  const begins = new Set(played)
  return expected.filter((event) => begins.has(event)).length / eventCount
}

/**
 * Returns `onset kind length` of each event, with times in ticks. Invalid durations are skipped and take no
 * time.
 */
function onsets(durations: readonly string[]): string[] {
  let at = 0
  return durations.flatMap((duration) => {
    const read = durationOf(duration)
    if (!read) return []
    const ticks = read.length * ticksInWhole
    const event = `${Math.round(at)} ${read.isRest} ${Math.round(ticks)}`
    at += ticks
    return [event]
  })
}

/** Divisible by every note value down to 1/64, by tuplets of 3, 5, 7 and 9, and by dotted values. */
const ticksInWhole = 64 * 4 * 9 * 5 * 7
