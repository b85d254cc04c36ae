import type { AssignmentUpdate, Rubric } from '../../../contract/assignments.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { fail } from '../../../errors.ts'
import { plainText, sanitizeText } from '../../../lib/html.ts'
import { checkExercises } from './exercises.ts'

/** The content of an assignment, which is the same in a class and in a library. */
export type Content = Pick<
  AssignmentsTable,
  | 'type'
  | 'title'
  | 'description'
  | 'description_html'
  | 'teacher_instructions'
  | 'teacher_instructions_html'
  | 'max_points'
  | 'release_grades'
  | 'weight'
  | 'late_policy'
  | 'students_mode'
  | 'options'
  | 'rubric'
  | 'exercises'
>

/** Fields that the server only stores for clients. */
const optionNames = [
  'cover',
  'coverFile',
  'toolset',
  'shuffleExercises',
  'nbPlaybackAuthorized',
  'restrictPlayNote',
  'restrictToAudioTracks',
  'recordingType',
  'allowMetronome',
  'allowBackingTrack',
  'allowSpeedChange',
  'freeRecord',
  'groupSize',
] as const

export type Options = { [Name in (typeof optionNames)[number]]?: NonNullable<AssignmentUpdate[Name]> }

/** Whether groups of students submit together. Shared writing is always group work. */
export const isGroupWork = ({ type, students_mode }: Pick<Content, 'type' | 'students_mode'>): boolean =>
  type === 'sharedWriting' || students_mode === 'group'

/** Returns only the content columns of a row. */
export const contentColumns = (row: Content): Content => ({
  type: row.type,
  title: row.title,
  description: row.description,
  description_html: row.description_html,
  teacher_instructions: row.teacher_instructions,
  teacher_instructions_html: row.teacher_instructions_html,
  max_points: row.max_points,
  release_grades: row.release_grades,
  weight: row.weight,
  late_policy: row.late_policy,
  students_mode: row.students_mode,
  options: row.options,
  rubric: row.rubric,
  exercises: row.exercises,
})

/** The content of a new assignment. */
export const emptyContent = (title: string): Content => ({
  type: 'none',
  title,
  description: null,
  description_html: null,
  teacher_instructions: null,
  teacher_instructions_html: null,
  max_points: null,
  release_grades: null,
  weight: 1,
  late_policy: null,
  students_mode: 'single',
  options: '{}',
  rubric: null,
  exercises: null,
})

/**
 * Applies a body to the content of an assignment. Absent fields stay unchanged.
 * @param imagesFrom the origin of the images that descriptions may contain
 * @throws INVALID_PARAMETER for repeated ids of criteria or exercises, for levels with repeated or too many
 *   points, and for exercises that cannot be answered
 */
export function changedContent(before: Content, body: AssignmentUpdate, imagesFrom: string): Content {
  const {
    type,
    title,
    maxPoints,
    weight,
    latePolicy,
    releaseGrades,
    submissionStudentsMode,
    rubric,
    exercises,
  } = body
  const [description, description_html] = changedText(
    [before.description, before.description_html],
    [body.description, body.descriptionHtml],
    { imagesFrom },
  )
  const [teacher_instructions, teacher_instructions_html] = changedText(
    [before.teacher_instructions, before.teacher_instructions_html],
    [body.teacherInstructions, body.teacherInstructionsHtml],
    {},
  )
  return {
    type: type ?? before.type,
    title: title ?? before.title,
    description,
    description_html,
    teacher_instructions,
    teacher_instructions_html,
    max_points: maxPoints === undefined ? before.max_points : maxPoints,
    release_grades: releaseGrades ?? before.release_grades,
    weight: weight ?? before.weight,
    late_policy: latePolicy === undefined ? before.late_policy : latePolicy && JSON.stringify(latePolicy),
    students_mode: submissionStudentsMode ?? before.students_mode,
    options: changedOptions(before.options, body),
    rubric: rubric === undefined ? before.rubric : rubric && checkedRubric(rubric),
    exercises: exercises === undefined ? before.exercises : exercises && checkedExercises(exercises),
  }
}

export type TextAndHtml = readonly [text: string | null, html: string | null]

/** Applies a change to a text with an HTML version. HTML replaces both; plain text removes the HTML. */
export function changedText(
  before: TextAndHtml,
  [text, html]: readonly [string | undefined, string | undefined],
  allowed: Parameters<typeof sanitizeText>[1],
): TextAndHtml {
  if (html !== undefined) {
    const sanitized = sanitizeText(html, allowed)
    return [plainText(sanitized), sanitized]
  }
  return text === undefined ? before : [text, null]
}

function changedOptions(before: string, body: AssignmentUpdate): string {
  const changed: Record<string, unknown> = JSON.parse(before)
  for (const name of optionNames) {
    if (body[name] !== undefined) changed[name] = body[name] ?? undefined
  }
  return JSON.stringify(changed)
}

function checkedRubric({ criteria }: NonNullable<AssignmentUpdate['rubric']>): string {
  checkIds(criteria, 'rubric.criteria')
  for (const [index, criterion] of criteria.entries())
    checkLevels(criterion, `rubric.criteria.${index}.levels`)
  return JSON.stringify(criteria)
}

/** The points of a grade name its level, so no two levels of a criterion have the same points. */
function checkLevels({ points: maximum, levels = [] }: Rubric['criteria'][number], param: string): void {
  const all = levels.map(({ points }) => points)
  for (const [index, points] of all.entries()) {
    const ofPoints = `${param}.${index}.points`
    const refuse = (problem: string) =>
      fail('INVALID_PARAMETER', { param: ofPoints, message: `\`${ofPoints}\` ${problem}.` })
    if (points > maximum) refuse(`exceeds the ${maximum} points of the criterion`)
    if (all.indexOf(points) < index) refuse('is repeated')
  }
}

function checkedExercises(exercises: NonNullable<AssignmentUpdate['exercises']>): string {
  checkIds(exercises, 'exercises')
  checkExercises(exercises)
  return JSON.stringify(exercises)
}

function checkIds(all: readonly { id: string }[], param: string): void {
  const ids = all.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated < 0) return
  const repeatedParam = `${param}.${repeated}.id`
  fail('INVALID_PARAMETER', { param: repeatedParam, message: `\`${repeatedParam}\` is repeated.` })
}
