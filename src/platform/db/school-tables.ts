import type { AssignmentState, AssignmentType } from '../../contract/assignments.ts'
import type { EduResourcePrivacy, EduResourceType } from '../../contract/edu-resources.ts'
import type { AssignmentSubmissionState } from '../../contract/submissions.ts'
import type { AttachmentType, MediaScoreSharingMode } from '../../contract/attachments.ts'
import { flag, index, integer, key, real, text, uniqueIndex, type RowOf, table } from './define-table.ts'

/** The columns of the tables of teaching, in the same form as those in `tables.ts`. */
export const schoolTables = {
  assignments: table(
    {
      id: key().primaryKey(),
      /** Null for an assignment in a library. */
      class_id: key().nullable().references('classes.id', 'cascade'),
      creator_id: key().references('users.id'),
      state: key<AssignmentState>(),
      type: key<AssignmentType>(),
      title: text(),
      description: text().nullable(),
      /** Sanitized HTML. The plain text in `description` is derived from it. */
      description_html: text().nullable(),
      teacher_instructions: text().nullable(),
      teacher_instructions_html: text().nullable(),
      /** Null if the assignment is not graded. */
      max_points: real().nullable(),
      release_grades: key<'auto' | 'manual'>().nullable(),
      /** How much the points count in averages. */
      weight: real().default(1),
      /** JSON object: what happens to late work. Null if it is accepted as any other. */
      late_policy: text().nullable(),
      students_mode: key<'single' | 'group'>(),
      assignee_mode: key<'everyone' | 'selected'>(),
      /** When students start to see the assignment. Null means immediately. */
      scheduled_at: integer().nullable(),
      due_at: integer().nullable(),
      /**
       * JSON object of settings that the server only stores for clients: cover, toolset, playback options.
       */
      options: text(),
      /** JSON array of the grading criteria. */
      rubric: text().nullable(),
      created_at: integer(),
      modified_at: integer(),
      /** JSON array of the exercises of a worksheet (docs/exercises.md). */
      exercises: text().nullable(),
      /**
       * When the assignment was published. Null if it was not: an archived assignment may never have been
       * published.
       */
      published_at: integer().nullable(),
    },
    {
      indexes: [
        index('assignments_by_class', ['class_id', 'id']),
        index('assignments_by_creator', ['creator_id']),
        index('assignments_by_due_at', ['due_at', 'id'], 'due_at is not null'),
      ],
    },
  ),

  assignment_attachments: table(
    {
      assignment_id: key().references('assignments.id', 'cascade'),
      /** Starts at 0. */
      position: integer(),
      type: key<AttachmentType>(),
      score_id: key().nullable().references('scores.id', 'cascade'),
      revision_id: key().nullable(),
      part_uuid: key().nullable(),
      sharing_mode: key<MediaScoreSharingMode>().nullable(),
      lock_score_template: flag(),
      worksheet: text().nullable(),
      url: key().nullable(),
      google_drive_file_id: text().nullable(),
      teacher_only: flag(),
      /**
       * The user who attached the score. Null if the account was deleted or the attachment is not a score.
       */
      attached_by: key().nullable().references('users.id', 'set null'),
      /** Whether the score was created for the assignment when the assignment was copied. */
      is_copy: flag().default(0),
    },
    {
      primaryKey: ['assignment_id', 'position'],
      indexes: [
        index('assignment_attachments_by_attached_by', ['attached_by']),
        index('assignment_attachments_by_score', ['score_id']),
        index('assignment_attachments_by_url', ['url'], 'url is not null'),
      ],
    },
  ),

  /** The students of an assignment that is not for the whole class. */
  assignment_students: table(
    {
      assignment_id: key().references('assignments.id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
    },
    {
      primaryKey: ['assignment_id', 'user_id'],
      indexes: [index('assignment_students_by_user_id', ['user_id', 'assignment_id'])],
    },
  ),

  /** The students who need not do an assignment. */
  assignment_excuses: table(
    {
      assignment_id: key().references('assignments.id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
    },
    {
      primaryKey: ['assignment_id', 'user_id'],
      indexes: [index('assignment_excuses_by_user_id', ['user_id', 'assignment_id'])],
    },
  ),

  /**
   * The groups of an assignment: those of the class that it names, and those that were made for group work
   * when it was published.
   */
  assignment_groups: table(
    {
      assignment_id: key().references('assignments.id', 'cascade'),
      group_id: key().references('groups.id', 'cascade'),
      /** Whether the assignment named no group, so that this one does not restrict it. */
      automatic: flag().default(0),
    },
    {
      primaryKey: ['assignment_id', 'group_id'],
      indexes: [index('assignment_groups_by_group_id', ['group_id', 'assignment_id'])],
    },
  ),

  /** The cached description of a web address from an external service. Failed requests are not cached. */
  web_links: table({
    /** The address as a browser normalizes it. */
    url: key().primaryKey(),
    /** JSON object. Empty if the service returned no data. */
    facts: text(),
    created_at: integer(),
  }),

  /** The work of a student or a group on an assignment. */
  submissions: table(
    {
      id: key().primaryKey(),
      assignment_id: key().references('assignments.id', 'cascade'),
      /** The class of the assignment. */
      class_id: key().references('classes.id', 'cascade'),
      /** The student who started the submission. */
      creator_id: key().references('users.id', 'cascade'),
      /** The group that the work belongs to. Null if it belongs to the student alone. */
      group_id: key().nullable().references('groups.id', 'set null'),
      /**
       * The id of the group or, without one, of the student. Each holder has one submission per assignment.
       * The value stays when the group is deleted.
       */
      holder_id: key(),
      state: key<AssignmentSubmissionState>(),
      grade: real().nullable(),
      /** Not visible to students. */
      draft_grade: real().nullable(),
      /** The maximum points for the grade. Null while there is no grade. */
      max_points: real().nullable(),
      /** JSON array of the grade for each criterion. */
      rubric: text().nullable(),
      /** JSON array. */
      exercises_ids: text().nullable(),
      /** JSON array of the answers to the exercises. */
      answers: text().nullable(),
      /** JSON array of the play counts of each score. */
      playback: text(),
      /** Whether the scores for the submission have been created. */
      has_copies: flag(),
      /** The number of the last row in `submission_history`. */
      last_event: integer(),
      /** The number of the newest comment. The comment itself may be deleted. */
      last_comment: integer(),
      created_at: integer(),
      submitted_at: integer().nullable(),
      returned_at: integer().nullable(),
      return_creator_id: key().nullable(),
      /** The maximum points for the draft grade when it was written. Null while there is no draft grade. */
      draft_max_points: real().nullable(),
      /** JSON array of the draft grade for each criterion. */
      draft_rubric: text().nullable(),
      /** Whether the grade was computed from the answers alone, without a teacher. */
      graded_automatically: flag().default(0),
    },
    {
      indexes: [
        uniqueIndex('submissions_by_assignment', ['assignment_id', 'holder_id']),
        index('submissions_by_class', ['class_id', 'assignment_id']),
        index('submissions_by_creator', ['creator_id', 'assignment_id']),
        index('submissions_by_group', ['group_id', 'assignment_id']),
      ],
    },
  ),

  submission_attachments: table(
    {
      submission_id: key().references('submissions.id', 'cascade'),
      /** Starts at 0. */
      position: integer(),
      type: key<AttachmentType>(),
      score_id: key().nullable().references('scores.id', 'cascade'),
      revision_id: key().nullable(),
      part_uuid: key().nullable(),
      sharing_mode: key<MediaScoreSharingMode>().nullable(),
      lock_score_template: flag(),
      /** Whether the score was created for the submission and is deleted with it. */
      dedicated: flag(),
      /** The recording for the playback of the score. */
      track_id: key().nullable().references('score_tracks.id', 'set null'),
      worksheet: text().nullable(),
      url: text().nullable(),
      google_drive_file_id: text().nullable(),
      /** Whether the owner of the score attached it, so that other users may see it. */
      by_owner: flag().default(0),
      /** The revision of the score in the last hand-in. Null while there is none. */
      handed_in_revision_id: key().nullable(),
    },
    {
      primaryKey: ['submission_id', 'position'],
      indexes: [
        index('submission_attachments_by_score_id', ['score_id']),
        index('submission_attachments_by_track_id', ['track_id']),
        index('submission_attachments_by_url', ['url'], 'url is not null'),
      ],
    },
  ),

  /** The events of a submission. Rows are never changed. */
  submission_history: table(
    {
      submission_id: key().references('submissions.id', 'cascade'),
      /** Starts at 1 and follows the order of the events, across all servers. */
      number: integer(),
      /** JSON array of the users who caused the event. */
      user_ids: text(),
      state: key<AssignmentSubmissionState | 'reset'>(),
      grade: real().nullable(),
      draft_grade: real().nullable(),
      max_points: real().nullable(),
      /** The due time of the assignment when the event happened. */
      due_at: integer().nullable(),
      /** The first score of the hand-in, at its revision of that time. */
      score_id: key().nullable(),
      revision_id: key().nullable(),
      title: text().nullable(),
      created_at: integer(),
    },
    {
      primaryKey: ['submission_id', 'number'],
    },
  ),

  submission_comments: table(
    {
      id: key().primaryKey(),
      submission_id: key().references('submissions.id', 'cascade'),
      /** Starts at 1 and follows the order of writing, across all servers. */
      number: integer(),
      user_id: key().references('users.id', 'cascade'),
      comment: text(),
      created_at: integer(),
      modified_at: integer().nullable(),
    },
    {
      indexes: [
        uniqueIndex('submission_comments_by_submission', ['submission_id', 'number']),
        index('submission_comments_by_user', ['user_id']),
      ],
    },
  ),

  /** The last comment on a submission that each user has read. */
  submission_readers: table(
    {
      submission_id: key().references('submissions.id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
      /** The number of the newest comment when the user read the comments. */
      last_read: integer(),
    },
    {
      primaryKey: ['submission_id', 'user_id'],
      indexes: [index('submission_readers_by_user', ['user_id'])],
    },
  ),

  /** The comments that a teacher writes again and again. */
  saved_comments: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      comment: text(),
      created_at: integer(),
    },
    {
      indexes: [index('saved_comments_by_user', ['user_id', 'id'])],
    },
  ),

  /** The items of a library: a user's own, an organization's, or the one that ships with Partita. */
  edu_resources: table(
    {
      id: key().primaryKey(),
      type: key<EduResourceType>(),
      /** The user who owns the library. Null for the other libraries. */
      user_id: key().nullable().references('users.id'),
      /** The organization that owns the library. Null for the other libraries. */
      organization_id: key().nullable().references('organizations.id'),
      /** The folder that contains the item. Null if the item is not in a folder. */
      parent_id: key().nullable().references('edu_resources.id', 'cascade'),
      /**
       * The key of the list that contains the item: the id of the folder, else of the user or the
       * organization, else `flatEduContent`.
       */
      place: key(),
      /** Null for content that ships with Partita. The account may be deleted. */
      creator_id: key().nullable(),
      privacy: key<EduResourcePrivacy>(),
      /** The same as the title of the assignment, if the item is one. */
      title: text(),
      title_key: key(),
      description: text().nullable(),
      /** Sanitized HTML. Null if only plain text was given. */
      description_html: text().nullable(),
      /** A bit for each (features/teaching/resources/sets.ts). */
      subjects: integer(),
      grades: integer(),
      /** Null for a folder. */
      assignment_id: key().nullable().references('assignments.id'),
      assignment_type: key<AssignmentType>().nullable(),
      /** The assignment of a class that this one was copied from. */
      copied_from: key().nullable(),
      /** The version of the content that ships with Partita. Null for other items. */
      content_version: integer().nullable(),
      created_at: integer(),
      updated_at: integer(),
    },
    {
      indexes: [
        uniqueIndex('edu_resources_by_assignment', ['assignment_id']),
        index('edu_resources_by_copied_from', ['copied_from']),
        index('edu_resources_by_creator_id', ['creator_id']),
        index(
          'edu_resources_by_organization_and_created_at',
          ['organization_id', 'created_at', 'id'],
          'organization_id is not null',
        ),
        index(
          'edu_resources_by_organization_and_title_key',
          ['organization_id', 'title_key', 'id'],
          'organization_id is not null',
        ),
        index(
          'edu_resources_by_organization_and_updated_at',
          ['organization_id', 'updated_at', 'id'],
          'organization_id is not null',
        ),
        index('edu_resources_by_parent_id', ['parent_id']),
        index('edu_resources_by_place_and_created_at', ['place', 'created_at', 'id']),
        index('edu_resources_by_place_and_title_key', ['place', 'title_key', 'id']),
        index('edu_resources_by_place_and_updated_at', ['place', 'updated_at', 'id']),
        index('edu_resources_by_user_id', ['user_id']),
      ],
    },
  ),

  /** The class in which a user tries out assignments. */
  demo_classes: table(
    {
      user_id: key().primaryKey().references('users.id', 'cascade'),
      class_id: key().references('classes.id', 'cascade'),
    },
    {
      indexes: [index('demo_classes_by_class', ['class_id'])],
    },
  ),
}

export type AssignmentsTable = RowOf<typeof schoolTables.assignments>
export type AssignmentAttachmentsTable = RowOf<typeof schoolTables.assignment_attachments>
export type SubmissionsTable = RowOf<typeof schoolTables.submissions>
export type SubmissionAttachmentsTable = RowOf<typeof schoolTables.submission_attachments>
export type SubmissionHistoryTable = RowOf<typeof schoolTables.submission_history>
export type SubmissionCommentsTable = RowOf<typeof schoolTables.submission_comments>
export type SavedCommentsTable = RowOf<typeof schoolTables.saved_comments>
export type EduResourcesTable = RowOf<typeof schoolTables.edu_resources>
export type DemoClassesTable = RowOf<typeof schoolTables.demo_classes>
