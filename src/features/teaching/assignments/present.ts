import type { Assignment, Capabilities, ClassAssignment } from '../../../contract/assignments.ts'
import type { Exercise } from '../../../contract/exercises.ts'
import type { MediaAttachment } from '../../../contract/attachments.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { catalogue, type ErrorCode } from '../../../errors.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import { canManage } from '../classes/policy.ts'
import { isGroupWork, type Options } from './content.ts'
import { shuffledExerciseIds, sortExercises } from './exercise-order.ts'
import { isDraft, isEditable, transition } from './lifecycle.ts'
import type { LoadedAssignment } from './policy.ts'
import type { AttachmentRow } from './attachments.store.ts'
import type { AssigneesByAssignment } from './assignees.store.ts'
import type { WebFacts } from './web-links.ts'

/** The data of other tables that the presentation includes. */
export interface AssignmentDetails {
  attachments: readonly AttachmentRow[]
  students: readonly { id: string }[]
  groups: NonNullable<ReturnType<AssigneesByAssignment['groups']['get']>>
  /** The students who are excused. */
  excused: readonly string[]
  submissions: ClassAssignment['submissions']
}

/** Presents an assignment. Fields for teachers are included only if `forTeachers` is set. */
export function presentAssignment(
  row: AssignmentsTable,
  attachments: readonly AttachmentRow[],
  { capabilities, forTeachers }: { capabilities: Capabilities; forTeachers: boolean },
): Assignment {
  const options: Options = JSON.parse(row.options)
  const shown = attachments.filter(({ teacher_only }) => forTeachers || !teacher_only)
  return {
    id: row.id,
    type: row.type,
    capabilities,
    title: row.title,
    description: row.description ?? undefined,
    descriptionHtml: row.description_html ?? undefined,
    teacherInstructions: (forTeachers && row.teacher_instructions) || undefined,
    teacherInstructionsHtml: (forTeachers && row.teacher_instructions_html) || undefined,
    attachments: shown.map(presentAttachment),
    useDedicatedAttachments:
      row.type === 'newScore' || shown.some(({ sharing_mode: mode }) => mode === 'copy') || undefined,
    maxPoints: row.max_points ?? undefined,
    latePolicy: row.late_policy === null ? undefined : JSON.parse(row.late_policy),
    weight: row.weight === 1 ? undefined : row.weight,
    releaseGrades: row.release_grades ?? undefined,
    submissionStudentsMode: isGroupWork(row) ? 'group' : 'single',
    rubric: row.rubric === null ? undefined : { criteria: JSON.parse(row.rubric) },
    exercises: row.exercises === null ? undefined : presentExercises(JSON.parse(row.exercises), forTeachers),
    ...options,
  }
}

/** Removes the solutions for students. */
const presentExercises = (exercises: Exercise[], forTeachers: boolean) =>
  forTeachers ? exercises : exercises.map(({ solution: _, ...exercise }) => exercise)

export function presentAttachment(
  row: Omit<AttachmentRow, 'assignment_id' | 'position' | 'attached_by' | 'is_copy'>,
): MediaAttachment {
  const isScore = row.score_id !== null
  return {
    type: row.type,
    score: row.score_id ?? undefined,
    revision: row.revision_id ?? undefined,
    partUuid: row.part_uuid ?? undefined,
    sharingMode: row.sharing_mode ?? undefined,
    lockScoreTemplate: isScore ? row.lock_score_template === 1 : undefined,
    worksheet: row.worksheet ?? undefined,
    ...(row.web_facts !== null
      ? (JSON.parse(row.web_facts) as WebFacts)
      : { title: row.score_title ?? undefined }),
    url: row.url ?? undefined,
    googleDriveFileId: row.google_drive_file_id ?? undefined,
    teacherOnly: row.teacher_only === 1,
  }
}

/** Returns what the viewer can do, which depends on the states of the class and the assignment. */
export function capabilitiesOf({ assignment, schoolClass, relation }: LoadedAssignment): Capabilities {
  const { state } = assignment
  const publishError = publishErrorOf()
  const canChange = canManage(relation) && !isReadOnly(schoolClass.state)
  return {
    canEdit: publishError === undefined,
    canPublishInClass: publishError === undefined && isDraft(state),
    canPublishInClassError: publishError && { code: publishError, message: catalogue[publishError].message },
    canArchive: canChange && isEditable(state),
    canUnarchive: canChange && transition(state, 'unarchive') !== undefined,
  }

  function publishErrorOf(): ErrorCode | undefined {
    if (!canManage(relation)) return 'ASSIGNMENT_ACCESS_DENIED'
    if (isReadOnly(schoolClass.state)) return 'CLASS_ARCHIVED'
    return isEditable(state) ? undefined : 'ASSIGNMENT_ARCHIVED'
  }
}

/**
 * Presents an assignment of a class. Students see only themselves and their own groups among the assignees.
 */
export function presentClassAssignment(
  loaded: LoadedAssignment,
  viewer: string,
  around: AssignmentDetails,
): ClassAssignment {
  const { assignment: row, relation } = loaded
  const forTeachers = canManage(relation)
  const groups = around.groups.map(({ members, ...group }) => ({
    ...group,
    members: members?.split(',') ?? [],
  }))
  const excused = around.excused.filter((id) => forTeachers || id === viewer)
  const isSelected = row.assignee_mode === 'selected'
  const presented = presentAssignment(row, around.attachments, {
    capabilities: capabilitiesOf(loaded),
    forTeachers,
  })
  return {
    ...presented,
    exercises: forTeachers ? presented.exercises : inOrderOf(viewer, row, presented.exercises, around),
    creator: row.creator_id,
    state: row.state,
    classroom: row.class_id,
    creationDate: dateTime(row.created_at),
    scheduledDate: row.scheduled_at === null ? undefined : dateTime(row.scheduled_at),
    dueDate: row.due_at === null ? undefined : dateTime(row.due_at),
    assigneeMode: row.assignee_mode,
    assignedStudents: isSelected
      ? around.students.map(({ id }) => id).filter((id) => forTeachers || id === viewer)
      : undefined,
    assignedGroups: groups
      .filter(({ members }) => forTeachers || members.includes(viewer))
      .map(({ id, name, parent_id, members }) => ({ id, name, parent: parent_id ?? undefined, members })),
    excusedStudents: excused.length > 0 ? excused : undefined,
    submissions: around.submissions,
  }
}

/** Sorts shuffled exercises in the order of the student’s submission, or in the order that it will have. */
function inOrderOf(
  student: string,
  row: AssignmentsTable,
  exercises: Assignment['exercises'],
  { submissions }: AssignmentDetails,
): Assignment['exercises'] {
  const ids = exercises && shuffledExerciseIds(row, student)
  return ids ? sortExercises(exercises, submissions[0]?.exercisesIds ?? ids) : exercises
}
