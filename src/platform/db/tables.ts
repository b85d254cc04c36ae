import type { ProfilePictureKind } from '../../contract/profile-pictures.ts'
import type { GroupType } from '../../contract/sharing.ts'
import type { OrganizationRole } from '../../contract/users.ts'
import {
  bytes,
  flag,
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
  organizations: table({
    id: key().primaryKey(),
    name: text(),
    /** The maximum number of active classes. Null means no limit. */
    max_classes: integer().nullable(),
    /** Whether users outside the organization can see the public scores of its members. */
    allows_public_scores: flag(),
    created_at: integer(),
    /** The maximum number of members, test students excluded. Null means no limit. */
    max_seats: integer().nullable(),
    /** When the licence of the organization ends. Null means never. */
    license_expires_at: integer().nullable(),
    /** Whether a visitor with an invitation code can create an account. */
    allows_sign_up_by_code: flag().default(0),
    /** The number of days for which a removed member is kept and can be restored. */
    retention_days: integer().default(30),
    /** Whether teachers can set the passwords of students in their classes. */
    allows_teachers_to_set_passwords: flag().default(1),
    /** The storage quota in bytes; 0 means unlimited. Null for the default, the setting ORGANIZATION_STORAGE. */
    max_storage: integer().nullable(),
    /** Whether administrators and teachers with a password must have a second factor. */
    requires_second_factor: flag().default(0),
    /** Whether administrators and teachers with a password must have a passkey, and sign in with it. */
    requires_passkey: flag().default(0),
    /** Whether members can sign in only through a provider of the organization. */
    requires_provider: flag().default(0),
    /** The maximum age of the sessions of members in milliseconds. Null means no limit. */
    max_session_ms: integer().nullable(),
    /** The maximum age of the tokens and authorizations of members in milliseconds. Null means no limit. */
    max_token_ms: integer().nullable(),
    /** The minimum number of characters of new passwords, if it is above the setting of the server. Null for none. */
    min_password_length: integer().nullable(),
    /** The days after which invitations to the organization expire. Null for the setting INVITATION_DAYS. */
    invitation_days: integer().nullable(),
  }),

  /** What an organization counts against its storage quota (features/people/storage). */
  organization_storage: table({
    organization_id: key().primaryKey().references('organizations.id', 'cascade'),
    bytes: integer(),
  }),

  /** The audit log: changes of accounts and rights, with the user who made them. Rows are never changed. */
  audit_events: table(
    {
      id: key().primaryKey(),
      organization_id: key().nullable(),
      /** Null if the change was made on the command line. */
      actor_id: key().nullable(),
      /** `user.created`, `user.role-changed`, … */
      action: key(),
      /** The account or object that was changed. */
      subject_id: key().nullable(),
      /** JSON object without secrets. */
      details: text(),
      created_at: integer(),
    },
    {
      indexes: [
        index('audit_events_by_actor_id', ['actor_id', 'id'], 'actor_id is not null'),
        index('audit_events_by_organization', ['organization_id', 'id']),
        index('audit_events_by_organization_and_action', ['organization_id', 'action', 'id']),
        index('audit_events_by_subject_id', ['subject_id', 'id'], 'subject_id is not null'),
      ],
    },
  ),

  invitations: table(
    {
      id: key().primaryKey(),
      organization_id: key().references('organizations.id'),
      role: key<OrganizationRole>(),
      code: key(),
      email: text().nullable(),
      email_key: key().nullable(),
      invited_by: key(),
      allows_multiple_use: flag(),
      created_at: integer(),
      expires_at: integer(),
      /** When the invitation was first used. */
      used_at: integer().nullable(),
      /** The number of users who have accepted the invitation, also if their accounts were deleted. */
      uses: integer().default(0),
    },
    {
      indexes: [
        uniqueIndex('invitations_by_code', ['code']),
        index('invitations_by_email_key', ['email_key']),
        index('invitations_by_invited_by', ['invited_by']),
        index('invitations_by_organization', ['organization_id', 'created_at', 'id']),
        index('invitations_by_role', ['organization_id', 'role', 'created_at', 'id']),
      ],
    },
  ),

  invitation_uses: table(
    {
      invitation_id: key().references('invitations.id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
      created_at: integer(),
    },
    {
      primaryKey: ['invitation_id', 'user_id'],
      indexes: [index('invitation_uses_by_user', ['user_id'])],
    },
  ),

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

  users: table(
    {
      id: key().primaryKey(),
      username: text(),
      username_key: key().unique(),
      password_hash: text(),
      password_origin: key<PasswordOrigin>().default('own'),
      email: text().nullable(),
      /** Whether the user has confirmed the address with the link in a mail. */
      email_verified: flag(),
      firstname: text().nullable(),
      lastname: text().nullable(),
      organization_id: key().nullable().references('organizations.id'),
      organization_role: key<OrganizationRole>().nullable(),
      locale: text(),
      /** What the user writes about themselves. */
      bio: text().nullable(),
      /** Whether an individual account hides its profile from other users. Of a member it has no effect. */
      is_private: flag().default(0),
      /** The pictures of the profile, in `profile_pictures`. */
      picture_id: key().nullable(),
      cover_picture_id: key().nullable(),
      created_at: integer(),
      email_key: key().nullable(),
      /**
       * Whether an administrator of the accounts supplied the address. Within the organization it then counts
       * as the user's.
       */
      email_vouched: flag().default(0),
      /** Last name, first name and username: the sort order of users. */
      name_key: key().default(''),
      /** The text that a search matches: names, username and mail address, one per line. */
      search_key: text().default(''),
      /** Zero if there was no activity. */
      last_activity_at: integer().default(0),
      is_test_student: flag().default(0),
      /**
       * When the account is permanently deleted. Null unless it was removed. A removed account cannot act and
       * is not visible to any user.
       */
      deletion_at: integer().nullable(),
      removed_by: key().nullable(),
      /** The id in the school's own records, as given in a roster. */
      external_id: key().nullable(),
      /** The storage quota in bytes; 0 means unlimited. Null for the default, the setting ACCOUNT_STORAGE. */
      max_storage: integer().nullable(),
      /** The requests per hour. Null for the default, the setting RATE_LIMIT_AUTHENTICATED. */
      rate_limit: integer().nullable(),
    },
    {
      indexes: [
        index('users_by_deletion_at', ['deletion_at', 'id'], 'deletion_at is not null'),
        index('users_by_email_key', ['email_key']),
        uniqueIndex('users_by_external_id', ['organization_id', 'external_id']),
        index('users_by_organization', ['organization_id', 'id']),
        index('users_by_organization_and_created_at', ['organization_id', 'created_at', 'id']),
        index('users_by_organization_and_last_activity_at', ['organization_id', 'last_activity_at', 'id']),
        index('users_by_organization_and_name_key', ['organization_id', 'name_key', 'id']),
        index('users_by_organization_and_username_key', ['organization_id', 'username_key', 'id']),
        index('users_by_removed_by', ['removed_by'], 'removed_by is not null'),
        index('users_by_role_and_created_at', ['organization_id', 'organization_role', 'created_at', 'id']),
        index('users_by_role_and_last_activity_at', [
          'organization_id',
          'organization_role',
          'last_activity_at',
          'id',
        ]),
        index('users_by_role_and_name_key', ['organization_id', 'organization_role', 'name_key', 'id']),
        index('users_by_role_and_username_key', [
          'organization_id',
          'organization_role',
          'username_key',
          'id',
        ]),
        uniqueIndex('users_by_verified_email', ['email_key'], 'email_verified = 1'),
        index('users_testing_by_created_at', ['organization_id', 'created_at', 'id'], 'is_test_student = 1'),
        index(
          'users_testing_by_last_activity_at',
          ['organization_id', 'last_activity_at', 'id'],
          'is_test_student = 1',
        ),
        index('users_testing_by_name_key', ['organization_id', 'name_key', 'id'], 'is_test_student = 1'),
        index(
          'users_testing_by_username_key',
          ['organization_id', 'username_key', 'id'],
          'is_test_student = 1',
        ),
      ],
    },
  ),

  /** The pictures of profiles, as WebP. The id is random, because the address of a picture needs no credentials. */
  profile_pictures: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      kind: key<ProfilePictureKind>(),
      content: bytes(),
      created_at: integer(),
    },
    {
      indexes: [uniqueIndex('profile_pictures_by_user', ['user_id', 'kind'])],
    },
  ),

  /**
   * What an account counts against its storage quota. The row is apart from `users`, whose rows many
   * transactions read.
   */
  user_storage: table({
    user_id: key().primaryKey().references('users.id', 'cascade'),
    bytes: integer(),
    /** The bytes that were deleted recently, and which the disk may still hold (lib/hourly-sum.ts). */
    deleted: text().default('[]'),
    /** The bytes that the account saved recently in what others own (lib/hourly-sum.ts). */
    saved_for_others: text().default('[]'),
  }),

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
export const tables = { ...platformTables, ...coreTables, ...schoolTables, ...scoreTables, ...signInTables }

export type Tables = RowsOf<typeof tables>

export type OrganizationsTable = RowOf<typeof coreTables.organizations>
export type AuditEventsTable = RowOf<typeof coreTables.audit_events>
export type InvitationsTable = RowOf<typeof coreTables.invitations>
export type ClassesTable = RowOf<typeof coreTables.classes>
export type UsersTable = RowOf<typeof coreTables.users>
export type ProfilePicturesTable = RowOf<typeof coreTables.profile_pictures>
export type GrantsTable = RowOf<typeof coreTables.grants>
export type GroupMembersTable = RowOf<typeof coreTables.group_members>
export type GroupsTable = RowOf<typeof coreTables.groups>
export type TasksTable = RowOf<typeof coreTables.tasks>

/**
 * Who chose the password of an account: the user, an administrator or a teacher. `unproven` means a session that was opened
 * with a teacher's password, so that it may have been the teacher or the user.
 */
export type PasswordOrigin = 'own' | 'administrator' | 'teacher' | 'unproven'

/** Who placed a member in a class. `code` means the member, with the enrolment code. */
export type Placement = 'administrator' | 'roster' | 'code' | 'teacher'

/** 1: read. 2: read and write. 3: read, write and administer. */
export type AccessLevel = 1 | 2 | 3
