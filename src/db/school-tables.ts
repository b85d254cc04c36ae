import type { AssignmentState, AssignmentType } from '../contract/assignments.ts'
import type { EduResourcePrivacy, EduResourceType } from '../contract/edu-resources.ts'
import type { AssignmentSubmissionState } from '../contract/submissions.ts'
import type { AttachmentType, MediaScoreSharingMode } from '../contract/attachments.ts'

/** The columns of the tables of teaching, in the same form as those of `tables.ts`. */
export interface SchoolTables {
  assignments: AssignmentsTable
  assignment_attachments: AssignmentAttachmentsTable
  assignment_students: AssignmentStudentsTable
  assignment_groups: AssignmentGroupsTable
  web_links: WebLinksTable
  submissions: SubmissionsTable
  submission_attachments: SubmissionAttachmentsTable
  submission_history: SubmissionHistoryTable
  submission_comments: SubmissionCommentsTable
  submission_readers: SubmissionReadersTable
  edu_resources: EduResourcesTable
  demo_classes: DemoClassesTable
}

export interface AssignmentsTable {
  id: string
  /** Null for one that is in a library. */
  class_id: string | null
  creator_id: string
  state: AssignmentState
  type: AssignmentType
  title: string
  description: string | null
  /** Sanitized; the plain text beside it was made of it. */
  description_html: string | null
  teacher_instructions: string | null
  teacher_instructions_html: string | null
  /** Null where it is not graded. */
  max_points: number | null
  release_grades: 'auto' | 'manual' | null
  students_mode: 'single' | 'group'
  assignee_mode: 'everyone' | 'selected'
  /** When it was published, which an archived one need not have been; null while it was not. */
  published_at: number | null
  /** From when on students see it; null for at once. */
  scheduled_at: number | null
  due_at: number | null
  /** JSON object of what is only kept for clients: cover, toolset, what may be played. */
  options: string
  /** JSON array of the criteria by which it is graded. */
  rubric: string | null
  /** JSON array of what a worksheet asks (docs/exercises.md). */
  exercises: string | null
  created_at: number
  modified_at: number
}

export interface AssignmentAttachmentsTable {
  assignment_id: string
  /** From 0. */
  position: number
  type: AttachmentType
  score_id: string | null
  revision_id: string | null
  part_uuid: string | null
  sharing_mode: MediaScoreSharingMode | null
  lock_score_template: 0 | 1
  worksheet: string | null
  url: string | null
  google_drive_file_id: string | null
  teacher_only: 0 | 1
  /** Who has attached the score; null where the account is gone, and for what is no score. */
  attached_by: string | null
  /** Whether the score was made for the assignment, when that was copied. */
  is_copy: 0 | 1
}

/** For whom an assignment is that is not for everyone. */
export interface AssignmentStudentsTable {
  assignment_id: string
  user_id: string
}

/** The sub-groups of the class that an assignment names. */
export interface AssignmentGroupsTable {
  assignment_id: string
  group_id: string
}

/** What a service on the web says of an address; nothing that it has said wrongly. */
export interface WebLinksTable {
  /** As a browser writes it. */
  url: string
  /** JSON object; empty where it has said nothing. */
  facts: string
  created_at: number
}

/** The work of a student, or of a group, on an assignment. */
export interface SubmissionsTable {
  id: string
  assignment_id: string
  /** That of its assignment. */
  class_id: string
  /** The student who began it. */
  creator_id: string
  /** Whose work it is; null where it is that of the student alone. */
  group_id: string | null
  /** The group or else the student: each has one of an assignment. It stays when the group goes. */
  holder_id: string
  state: AssignmentSubmissionState
  grade: number | null
  /** Students are not told of it. */
  draft_grade: number | null
  /** What the grade is of; null while there is none. */
  max_points: number | null
  /** What the draft was of when it was written; null while there is none. */
  draft_max_points: number | null
  /** JSON array of what each criterion was graded with. */
  rubric: string | null
  /** The same of the draft. */
  draft_rubric: string | null
  /** Whether the grade was made of answers alone, and is no teacher's. */
  graded_by_itself: 0 | 1
  /** JSON array. */
  exercises_ids: string | null
  /** JSON array of what was answered to the exercises. */
  answers: string | null
  /** JSON array of how often each score was played. */
  playback: string
  /** Whether the scores that are made for it have been made. */
  has_copies: 0 | 1
  /** The number of the last row of its history. */
  last_event: number
  /** The number of the comment that was written last, which may be deleted. */
  last_comment: number
  created_at: number
  submitted_at: number | null
  returned_at: number | null
  return_creator_id: string | null
}

export interface SubmissionAttachmentsTable
  extends Omit<AssignmentAttachmentsTable, 'assignment_id' | 'teacher_only' | 'attached_by' | 'is_copy'> {
  submission_id: string
  /** Whether the score was made for the submission, and goes with it. */
  dedicated: 0 | 1
  /** Whether the score was attached by who owns it, so that others may see it. */
  by_owner: 0 | 1
  /** The revision of the score that was handed in last; null while none is. */
  handed_in_revision_id: string | null
  /** How the score is played. */
  track_id: string | null
}

/** What happened to a submission. Rows are never changed. */
export interface SubmissionHistoryTable {
  submission_id: string
  /** From 1, in the order in which it happened, whichever server that was on. */
  number: number
  /** JSON array of who did it. */
  user_ids: string
  state: AssignmentSubmissionState | 'reset'
  grade: number | null
  draft_grade: number | null
  max_points: number | null
  /** When the assignment was due then. */
  due_at: number | null
  /** The first score of what was turned in, as it was then. */
  score_id: string | null
  revision_id: string | null
  title: string | null
  created_at: number
}

export interface SubmissionCommentsTable {
  id: string
  submission_id: string
  /** From 1, in the order of writing, whichever server it was written on. */
  number: number
  user_id: string
  comment: string
  created_at: number
  modified_at: number | null
}

/** How far somebody has read the comments on a submission. */
export interface SubmissionReadersTable {
  submission_id: string
  user_id: string
  /** The number of the last comment that there was. */
  last_read: number
}

/** What lies in a library: somebody's own, an organization's, or the one that ships with Partita. */
export interface EduResourcesTable {
  id: string
  type: EduResourceType
  /** Whose own library it is in; null for the other libraries. */
  user_id: string | null
  /** The organization whose library it is in; null for the other libraries. */
  organization_id: string | null
  /** The folder in which it lies; null where it lies in none. */
  parent_id: string | null
  /** By which lists find it: the folder, else the user or the organization, else `flatEduContent`. */
  place: string
  /** Null for what ships with Partita. The account may be gone. */
  creator_id: string | null
  privacy: EduResourcePrivacy
  /** Of an assignment the same as its own. */
  title: string
  title_key: string
  description: string | null
  /** Sanitized; null where only plain text was given. */
  description_html: string | null
  /** A bit for each (features/edu-resources/sets.ts). */
  subjects: number
  grades: number
  /** Null for a folder. */
  assignment_id: string | null
  assignment_type: AssignmentType | null
  /** The assignment of a class that it is a copy of. */
  copied_from: string | null
  /** Of what ships with Partita, the version that it is of. */
  content_version: number | null
  created_at: number
  updated_at: number
}

/** The class in which somebody tries assignments out. */
export interface DemoClassesTable {
  user_id: string
  class_id: string
}
