import type { AssignmentState, AssignmentType } from '../contract/assignments.ts'
import type { AttachmentType, MediaScoreSharingMode } from '../contract/attachments.ts'

/** The columns of the tables of teaching, in the same form as those of `tables.ts`. */
export interface SchoolTables {
  assignments: AssignmentsTable
  assignment_attachments: AssignmentAttachmentsTable
  assignment_students: AssignmentStudentsTable
  assignment_groups: AssignmentGroupsTable
  web_links: WebLinksTable
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
  /** From when on students see it; null for at once. */
  scheduled_at: number | null
  due_at: number | null
  /** JSON object of what is only kept for clients: cover, toolset, what may be played. */
  options: string
  /** JSON array of the criteria by which it is graded. */
  rubric: string | null
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
