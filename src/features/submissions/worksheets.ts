import type { Exercise, ExerciseAnswer } from '../../contract/exercises.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import { durationOf } from '../assignments/exercises.ts'

type Graded = Pick<AssignmentsTable, 'type' | 'max_points' | 'exercises'>

/** What a worksheet asks; undefined where it asks nothing, and for other assignments. */
export function exercisesOf({ type, exercises }: Pick<Graded, 'type' | 'exercises'>): Exercise[] | undefined {
  const isWorksheet = type === 'worksheet' || type === 'worksheetText'
  return isWorksheet && exercises !== null ? JSON.parse(exercises) : undefined
}

/** What the grades of an assignment are of: what it says, else what its exercises are worth; null where that is nothing. */
export function pointsOf(assignment: Graded): number | null {
  const exercises = assignment.max_points === null ? exercisesOf(assignment) : undefined
  return exercises ? rounded(worthOf(exercises)) : assignment.max_points
}

const worthOf = (exercises: readonly Exercise[]): number =>
  exercises.reduce((sum, exercise) => sum + worthOfOne(exercise), 0)
const worthOfOne = ({ points = 1 }: Exercise): number => points

/** What was reached of what could be. */
export interface Score {
  points: number
  of: number
}

/** What the answers to a worksheet are worth; what was not answered is worth nothing. docs/exercises.md says the rules. */
export function gradeWorksheet(exercises: readonly Exercise[], answers: readonly ExerciseAnswer[]): Score {
  const given = new Map(answers.map(({ exercise, answer }) => [exercise, answer]))
  let points = 0
  for (const exercise of exercises) {
    points += worthOfOne(exercise) * shareOf(exercise, given.get(exercise.id) ?? [])
  }
  return { points: rounded(points), of: rounded(worthOf(exercises)) }
}

/** A score as a grade: of these points where the assignment says of how many, else of those of its exercises. */
export function gradeOf({ points, of }: Score, maxPoints: number | null): { grade: number; maxPoints: number } {
  if (maxPoints === null) return { grade: points, maxPoints: of }
  return { grade: of > 0 ? rounded((points / of) * maxPoints) : 0, maxPoints }
}

const rounded = (number: number): number => Math.round(number * 100) / 100

/** How much of an exercise is right, from 0 to 1. */
function shareOf(exercise: Exercise, answer: readonly string[]): number {
  switch (exercise.type) {
    case 'multipleChoice':
      return shareOfChoices(exercise.solution ?? [], answer)
    case 'noteNaming':
      return shareOfNames(exercise.notes ?? [], answer)
    case 'rhythm':
      return shareOfRhythm(exercise.solution ?? [], answer)
  }
}

/** Each right choice counts for what each wrong one counts against; never less than nothing. */
function shareOfChoices(solution: readonly string[], answer: readonly string[]): number {
  const [right, chosen] = [new Set(solution), new Set(answer)]
  const hits = [...right].filter((choice) => chosen.has(choice)).length
  const share = right.size === 0 ? Number(chosen.size === 0) : (2 * hits - chosen.size) / right.size
  return Math.max(0, share)
}

function shareOfNames(notes: readonly string[], answer: readonly string[]): number {
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
}

/** The name of a note in one way of writing; undefined for what is none. Letters and syllables are the same notes. */
function nameOf(text: string): string | undefined {
  const plain = text.trim().toLowerCase().replaceAll('♯', '#').replaceAll('♭', 'b').replaceAll('é', 'e')
  const [, name, accidental = ''] = /^(do|re|mi|fa|sol|la|si|ti|[a-g])\s*(#{0,2}|b{0,2}|x)$/.exec(plain) ?? []
  if (name === undefined) return undefined
  return (syllables[name] ?? name) + (accidental === 'x' ? '##' : accidental)
}

/** A note or rest right in length, and where it begins, counts; of as many as there are in the longer one. */
function shareOfRhythm(right: readonly string[], answer: readonly string[]): number {
  const [wanted, played] = [onsets(right), onsets(answer)]
  const most = Math.max(right.length, answer.length)
  if (most === 0) return 0
  const begins = new Set(played)
  return wanted.filter((event) => begins.has(event)).length / most
}

/** `onset kind length` of each event, the times in ticks; what is no duration is no event, and takes no time. */
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

/** Divides into everything down to 1/64, into tuplets of 3, 5, 7 and 9, and into dots. */
const ticksInWhole = 64 * 4 * 9 * 5 * 7
