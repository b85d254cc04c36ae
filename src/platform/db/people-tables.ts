import type { ProfilePictureKind } from '../../contract/profile-pictures.ts'
import type { MailFrequency } from '../../contract/mail-frequencies.ts'
import type { NotificationKind } from '../../contract/notifications.ts'
import type { OrganizationRole } from '../../contract/users.ts'
import { bytes, flag, index, integer, key, text, uniqueIndex, type RowOf, table } from './define-table.ts'

/** Organizations, their accounts, and what the server records about both. */
export const peopleTables = {
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
    /** Whether the students of a class can sign in with a picture and a PIN. */
    allows_picture_sign_in: flag().default(0),
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

  /** The users whose due dates calendar programs read at a secret address. */
  calendar_feeds: table({
    user_id: key().primaryKey().references('users.id', 'cascade'),
    /** The version of the address (lib/account-tokens.ts). A new one makes the old address invalid. */
    version: key(),
    created_at: integer(),
  }),

  /** What happened to the work of a user. The texts are composed when they are shown. */
  notifications: table(
    {
      /** Ids sort by time. A newer event of the same kind on the same work replaces the row. */
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      kind: key<NotificationKind>(),
      class_id: key().references('classes.id', 'cascade'),
      assignment_id: key().references('assignments.id', 'cascade'),
      /** Null if the event is about the assignment. */
      submission_id: key().nullable().references('submissions.id', 'cascade'),
      /** The submission or, without one, the assignment. */
      about_id: key(),
      /** Who did it. Null for a deleted account. */
      actor_id: key().nullable().references('users.id', 'set null'),
      read_at: integer().nullable(),
      created_at: integer(),
    },
    {
      indexes: [
        uniqueIndex('notifications_by_event', ['user_id', 'kind', 'about_id']),
        index('notifications_by_user', ['user_id', 'id']),
        index('notifications_unread', ['user_id', 'id'], 'read_at is null'),
        index('notifications_by_created_at', ['created_at']),
        index('notifications_by_class', ['class_id', 'user_id']),
        index('notifications_by_assignment', ['assignment_id']),
        index('notifications_by_submission', ['submission_id'], 'submission_id is not null'),
        index('notifications_by_actor', ['actor_id'], 'actor_id is not null'),
      ],
    },
  ),

  /** How often a user gets mails about notifications, and what they have told. A user without a row has the defaults. */
  notification_mails: table(
    {
      user_id: key().primaryKey().references('users.id', 'cascade'),
      frequency: key<MailFrequency>(),
      /** The id of the newest notification that was mailed, or read before it was. Empty if there is none. */
      mailed_until: key().default(''),
    },
    {
      indexes: [index('notification_mails_immediately', ['user_id'], "frequency = 'immediately'")],
    },
  ),
}

export type OrganizationsTable = RowOf<typeof peopleTables.organizations>
export type AuditEventsTable = RowOf<typeof peopleTables.audit_events>
export type InvitationsTable = RowOf<typeof peopleTables.invitations>
export type NotificationsTable = RowOf<typeof peopleTables.notifications>
export type NotificationMailsTable = RowOf<typeof peopleTables.notification_mails>
export type UsersTable = RowOf<typeof peopleTables.users>
export type ProfilePicturesTable = RowOf<typeof peopleTables.profile_pictures>

/**
 * Who chose the password of an account: the user, an administrator or a teacher. `unproven` means a session that was opened
 * with a teacher's password, so that it may have been the teacher or the user.
 */
export type PasswordOrigin = 'own' | 'administrator' | 'teacher' | 'unproven'
