import type { GroupType } from '../../contract/sharing.ts'
import {
  index,
  integer,
  key,
  real,
  text,
  uniqueIndex,
  type RowOf,
  type RowsOf,
  table,
} from './define-table.ts'
import { eventTables } from './event-tables.ts'
import { peopleTables } from './people-tables.ts'
import { platformTables } from './platform-tables.ts'
import { schoolTables } from './school-tables.ts'
import { scoreTables } from './score-tables.ts'
import { signInTables } from './sign-in-tables.ts'

/**
 * The columns of every table, with the types that a query returns. Ids are 24 hex characters. Times are
 * integer milliseconds since 1970. Booleans are 0 or 1. A column named `…_key` holds the sort key of the text
 * column of the same name (lib/sort-key.ts).
 */
const coreTables = {
  classes: table(
    {
      id: key().primaryKey(),
      organization_id: key().references('organizations.id'),
      owner_id: key().references('users.id'),
      state: key<'active' | 'inactive' | 'archived'>(),
      name: text(),
      section: text().nullable(),
      description: text().nullable(),
      theme: text().nullable(),
      level: key().nullable(),
      /** JSON array. */
      skills_focused: text().nullable(),
      size: real().nullable(),
      enrollment_code: key(),
      /** The id in the school's own records, as given in a roster. */
      external_id: key().nullable(),
      created_at: integer(),
      modified_at: integer(),
    },
    {
      indexes: [
        uniqueIndex('classes_by_enrollment_code', ['enrollment_code']),
        uniqueIndex('classes_by_external_id', ['organization_id', 'external_id']),
        index('classes_by_organization', ['organization_id', 'state']),
        index('classes_by_owner', ['owner_id']),
      ],
    },
  ),

  /** The rights on one score or collection of a user, group or invited address that does not own it. */
  grants: table(
    {
      id: key().primaryKey(),
      score_id: key().nullable().references('scores.id', 'cascade'),
      collection_id: key().nullable().references('collections.id', 'cascade'),
      user_id: key().nullable().references('users.id'),
      group_id: key().nullable().references('groups.id', 'cascade'),
      /** The address of a pending invitation, which has no user yet. */
      email: text().nullable(),
      email_key: key().nullable(),
      /** The hash of the token with which any account can accept the pending invitation. */
      token_hash: key().nullable(),
      level: integer<AccessLevel>(),
      created_by: key(),
      created_at: integer(),
      /** The assignment that the grant results from and is deleted with. Null if a user gave the grant. */
      assignment_id: key().nullable().references('assignments.id', 'cascade'),
      /** The submission that the grant results from. Null if it results from the assignment itself. */
      submission_id: key().nullable().references('submissions.id', 'cascade'),
    },
    {
      indexes: [
        uniqueIndex(
          'grants_by_assignment_id_and_group_id',
          ['assignment_id', 'score_id', 'group_id'],
          'assignment_id is not null and submission_id is null and group_id is not null',
        ),
        uniqueIndex(
          'grants_by_assignment_id_and_user_id',
          ['assignment_id', 'score_id', 'user_id'],
          'assignment_id is not null and submission_id is null and user_id is not null',
        ),
        uniqueIndex('grants_by_collection_id_and_email_key', ['collection_id', 'email_key']),
        uniqueIndex('grants_by_collection_id_and_group_id', ['collection_id', 'group_id']),
        uniqueIndex('grants_by_collection_id_and_user_id', ['collection_id', 'user_id']),
        index('grants_by_email_key', ['email_key', 'score_id', 'level']),
        index('grants_by_group_id', ['group_id', 'score_id', 'level']),
        uniqueIndex('grants_by_token_hash', ['token_hash'], 'token_hash is not null'),
        index('grants_of_addresses_by_created_at', ['created_at'], 'email_key is not null'),
        uniqueIndex('grants_by_score_id_and_email_key', ['score_id', 'email_key']),
        index('grants_by_score_id_and_group_id', ['score_id', 'group_id']),
        uniqueIndex(
          'grants_by_score_id_and_group_id_by_hand',
          ['score_id', 'group_id'],
          'assignment_id is null',
        ),
        index('grants_by_score_id_and_user_id', ['score_id', 'user_id']),
        uniqueIndex(
          'grants_by_score_id_and_user_id_by_hand',
          ['score_id', 'user_id'],
          'assignment_id is null',
        ),
        index('grants_by_submission_id', ['submission_id']),
        uniqueIndex(
          'grants_by_submission_id_and_group_id',
          ['submission_id', 'score_id', 'group_id'],
          'submission_id is not null and group_id is not null',
        ),
        uniqueIndex(
          'grants_by_submission_id_and_user_id',
          ['submission_id', 'score_id', 'user_id'],
          'submission_id is not null and user_id is not null',
        ),
        index('grants_by_user_id', ['user_id', 'score_id', 'level']),
      ],
    },
  ),

  groups: table(
    {
      id: key().primaryKey(),
      organization_id: key().references('organizations.id'),
      type: key<GroupType>(),
      name: text(),
      name_key: key(),
      created_at: integer(),
      /** The class that the group belongs to. */
      class_id: key().nullable().references('classes.id', 'cascade'),
      /** The subgroup of the class that a group of an assignment was made from, unless it was deleted. */
      parent_id: key().nullable().references('groups.id', 'set null'),
      /** JSON array. */
      tags: text().default('[]'),
    },
    {
      indexes: [
        // Groups of several assignments may have the same name.
        uniqueIndex(
          'groups_by_class',
          ['class_id', 'type', 'name_key'],
          "type <> 'assignmentStudentsSubGroup'",
        ),
        index('groups_by_class_and_type', ['class_id', 'type', 'name_key']),
        index('groups_by_parent', ['parent_id'], 'parent_id is not null'),
        index('groups_by_organization', ['organization_id', 'name_key']),
        index('groups_by_organization_and_name', ['organization_id', 'name_key', 'type']),
      ],
    },
  ),

  group_members: table(
    {
      group_id: key().references('groups.id', 'cascade'),
      user_id: key().references('users.id'),
      created_at: integer(),
      /** Who placed the member in a class. Null in groups other than the teachers and the students of a class. */
      placement: key<Placement>().nullable(),
    },
    {
      primaryKey: ['group_id', 'user_id'],
      indexes: [index('group_members_by_user', ['user_id', 'group_id'])],
    },
  ),

  /** The state of a job that is shown to the caller. */
  tasks: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      job_id: key(),
      type: key(),
      format: key().nullable(),
      score_id: key().nullable().references('scores.id', 'cascade'),
      revision_id: key().nullable(),
      /**
       * The sharing key that opened the score. It must still be valid when the caller requests the result.
       */
      sharing_key: key().nullable(),
      /** Blob of the file to import. Null once the file is no longer needed. */
      source_blob: key().nullable(),
      /** What the file to import counts against the storage quota. 0 once it is no longer needed. */
      source_bytes: integer().default(0),
      /**
       * The hash of the exported file, with its name and media type. Set when the task is done. The file is in the
       * export cache, which may have evicted it.
       */
      result_hash: key().nullable(),
      result_name: text().nullable(),
      result_media_type: text().nullable(),
      created_at: integer(),
    },
    {
      indexes: [
        index('tasks_by_created_at', ['created_at']),
        index('tasks_by_score_id', ['score_id']),
        index('tasks_by_source_blob', ['source_blob']),
        index('tasks_by_user_id', ['user_id']),
      ],
    },
  ),
}

/** The definitions of all tables. */
export const tables = {
  ...platformTables,
  ...peopleTables,
  ...eventTables,
  ...coreTables,
  ...schoolTables,
  ...scoreTables,
  ...signInTables,
}

export type Tables = RowsOf<typeof tables>

export type ClassesTable = RowOf<typeof coreTables.classes>
export type GrantsTable = RowOf<typeof coreTables.grants>
export type GroupMembersTable = RowOf<typeof coreTables.group_members>
export type GroupsTable = RowOf<typeof coreTables.groups>
export type TasksTable = RowOf<typeof coreTables.tasks>

/** Who placed a member in a class. `code` means the member, with the enrolment code. */
export type Placement = 'administrator' | 'roster' | 'code' | 'teacher'

/** 1: read. 2: read and write. 3: read, write and administer. */
export type AccessLevel = 1 | 2 | 3
