import type { MediaAttachment } from '../../../contract/attachments.ts'
import type { AssignmentSubmission, AssignmentSubmissionHistory } from '../../../contract/submissions.ts'
import type { SubmissionHistoryTable } from '../../../platform/db/school-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { presentAttachment } from '../assignments/present.ts'
import { isLate } from './lifecycle.ts'
import type { ShownAttachment } from './attachments.store.ts'
import type { ShownSubmission } from './packed-rows.store.ts'
import type { SubmissionRow } from './store.ts'

/** The data of other tables that the presentation includes, and the role of the viewer. */
export interface SubmissionDetails {
  attachments: readonly ShownAttachment[]
  comments: { total: number; unread: number }
  /** Whether the viewer teaches the class, and therefore sees drafts of grades. */
  teaches: boolean
  missing: boolean
}

export function presentSubmission(
  submission: ShownSubmission,
  { attachments, comments, teaches, missing }: SubmissionDetails,
): AssignmentSubmission {
  const { grade, draft_grade, max_points, submitted_at, returned_at, due_at } = submission
  return {
    id: submission.id,
    state: submission.state,
    classroom: submission.class_id,
    assignment: submission.assignment_id,
    creator: submission.creator_id,
    creationDate: dateTime(submission.created_at),
    attachments: attachments.map(presentSubmitted),
    submissionDate: dateOf(submitted_at),
    returnDate: dateOf(returned_at),
    returnCreator: submission.return_creator_id ?? undefined,
    grade: grade ?? undefined,
    draftGrade: teaches ? (draft_grade ?? undefined) : undefined,
    maxPoints: max_points ?? undefined,
    exercisesIds: parseOptional(submission.exercises_ids),
    playback: JSON.parse(submission.playback),
    comments,
    late: isLate(submitted_at, due_at),
    missing,
    group: submission.group_id ?? undefined,
    answers: parseOptional(submission.answers),
    rubric: parseOptional(submission.rubric),
    draftRubric: teaches ? parseOptional(submission.draft_rubric) : undefined,
  }
}

const presentSubmitted = (attachment: ShownAttachment): MediaAttachment => ({
  ...presentAttachment({
    ...attachment,
    revision_id: attachment.handed_in_revision_id ?? attachment.revision_id,
    teacher_only: 0,
  }),
  dedicated: attachment.dedicated === 1 ? true : undefined,
  track: attachment.track_id ?? undefined,
})

export function presentHistory(
  { class_id, assignment_id }: Pick<SubmissionRow, 'class_id' | 'assignment_id'>,
  row: SubmissionHistoryTable,
): AssignmentSubmissionHistory {
  const { score_id: score, revision_id: revision, title } = row
  return {
    date: dateTime(row.created_at),
    classroom: class_id,
    assignment: assignment_id,
    submission: row.submission_id,
    users: JSON.parse(row.user_ids),
    state: row.state,
    draftGrade: row.draft_grade ?? undefined,
    grade: row.grade ?? undefined,
    maxPoints: row.max_points ?? undefined,
    dueDate: dateOf(row.due_at),
    attachment:
      score === null ? undefined : { score, revision: revision ?? undefined, title: title ?? undefined },
  }
}

const dateOf = (time: number | null) => (time === null ? undefined : dateTime(time))
const parseOptional = (json: string | null) => (json === null ? undefined : JSON.parse(json))
