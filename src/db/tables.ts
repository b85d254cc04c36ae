import type { GroupType } from '../contract/sharing.ts'
import type { OrganizationRole } from '../contract/users.ts'
import type { ScoreTables } from './score-tables.ts'
import type { SchoolTables } from './school-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'

/**
 * The columns of every table, as a query sees them. Ids are 24 hex characters, times integer milliseconds since 1970,
 * truth values 0 or 1; columns named `…_key` hold the sort key of the text beside them (lib/sort-key.ts).
 */
export interface Tables extends SchoolTables, ScoreTables, SignInTables {
  organizations: OrganizationsTable
  audit_events: AuditEventsTable
  invitations: InvitationsTable
  invitation_uses: InvitationUsesTable
  classes: ClassesTable
  users: UsersTable
  server_secrets: ServerSecretsTable
  grants: GrantsTable
  groups: GroupsTable
  group_members: GroupMembersTable
  collections: CollectionsTable
  collection_scores: CollectionScoresTable
  tasks: TasksTable
  blobs: BlobsTable
  jobs: JobsTable
  idempotent_requests: IdempotentRequestsTable
}

export interface OrganizationsTable {
  id: string
  name: string
  /** Classes that may be active at a time; null is as many as wanted. */
  max_classes: number | null
  /** People who may be members at a time, test students apart; null is as many as wanted. */
  max_seats: number | null
  /** Whether its members' public scores are seen outside of it. */
  allows_public_scores: 0 | 1
  /** Whether whoever has an invitation's code may make an account with it. */
  allows_sign_up_by_code: 0 | 1
  /** For how many days a removed member is kept, and can be brought back. */
  retention_days: number
  created_at: number
}

/** What was done to accounts and rights, by whom. Rows are never changed. */
export interface AuditEventsTable {
  id: string
  organization_id: string | null
  /** Null for the command line. */
  actor_id: string | null
  /** `user.created`, `user.role-changed`, … */
  action: string
  /** The account or thing it was done to. */
  subject_id: string | null
  /** JSON object; no secrets. */
  details: string
  created_at: number
}

export interface InvitationsTable {
  id: string
  organization_id: string
  role: OrganizationRole
  code: string
  email: string | null
  email_key: string | null
  invited_by: string
  allows_multiple_use: 0 | 1
  created_at: number
  /** When somebody first came by it. */
  used_at: number | null
}

export interface InvitationUsesTable {
  invitation_id: string
  user_id: string
  created_at: number
}

export interface UsersTable {
  id: string
  username: string
  username_key: string
  password_hash: string
  email: string | null
  email_key: string | null
  /** Whether the person has shown, by a mail, that it is theirs. */
  email_verified: 0 | 1
  /** Whether who keeps the accounts has given it; within the organization it then counts as the person's. */
  email_vouched: 0 | 1
  firstname: string | null
  lastname: string | null
  organization_id: string | null
  organization_role: OrganizationRole | null
  locale: string
  created_at: number
  /** Last name, first name and username, as people are sorted. */
  name_key: string
  /** What a search looks in: names, username and address, a line each. */
  search_key: string
  /** Zero where there was none. */
  last_activity_at: number
  is_test_student: 0 | 1
  /** When it is deleted for good; null unless it was removed. A removed account can do nothing and is shown to nobody. */
  deletion_at: number | null
  removed_by: string | null
  /** The id in the school's own records that a roster names. */
  external_id: string | null
}

/** Made at the first start and shared by all processes of an installation. */
export interface ServerSecretsTable {
  name: string
  secret: Uint8Array
}

export interface CollectionsTable {
  id: string
  user_id: string
  type: 'regular' | 'app'
  /** The app whose scores it takes; `personal` for those of personal tokens. Null for a regular one. */
  app: string | null
  title: string
  title_key: string
  created_at: number
  modified_at: number
  /** How many grants there are on it, invitations included. */
  grants: number
  /** When it is deleted for good; null unless it is in the trash. */
  deletion_at: number | null
}

/** A score in a collection, with the sort keys of the score so that a list needs one index. */
export interface CollectionScoresTable {
  collection_id: string
  score_id: string
  trashed: 0 | 1
  title_key: string
  created_at: number
  modified_at: number
  /** Who put it there. */
  added_by: string
  /** By which it was opened when it was put there. */
  sharing_key: string | null
}

/** What somebody who does not own a score or collection may do with it. It is on one of them, for one holder. */
export interface GrantsTable {
  id: string
  score_id: string | null
  collection_id: string | null
  user_id: string | null
  group_id: string | null
  /** Of an invitation that waits for its person: nobody has the grant yet. */
  email: string | null
  email_key: string | null
  level: AccessLevel
  /** The assignment that it follows from and goes with; null where somebody gave it. */
  assignment_id: string | null
  /** The submission to that assignment which it follows from; null where it follows from the assignment itself. */
  submission_id: string | null
  created_by: string
  created_at: number
}

/** 1 may read, 2 may write as well, 3 may administer as well. */
export type AccessLevel = 1 | 2 | 3

export interface GroupsTable {
  id: string
  organization_id: string
  type: GroupType
  name: string
  name_key: string
  created_at: number
  /** The class whose group it is. */
  class_id: string | null
  /** JSON array. */
  tags: string
}

export interface ClassesTable {
  id: string
  organization_id: string
  owner_id: string
  state: 'active' | 'inactive' | 'archived'
  name: string
  section: string | null
  level: string | null
  /** JSON array. */
  skills_focused: string | null
  size: number | null
  enrollment_code: string
  /** The id in the school's own records that a roster names. */
  external_id: string | null
  created_at: number
  modified_at: number
}

export interface GroupMembersTable {
  group_id: string
  user_id: string
  created_at: number
}

/** What a caller sees of a job. */
export interface TasksTable {
  id: string
  user_id: string
  job_id: string
  type: string
  format: string | null
  score_id: string | null
  revision_id: string | null
  /** By which its score was opened; it must still open it when the result is asked for. */
  sharing_key: string | null
  /** Blob of the file to import, while there is something to be done with it. */
  source_blob: string | null
  /** Blob of the result with its name and media type, once done. */
  result_blob: string | null
  result_name: string | null
  result_media_type: string | null
  created_at: number
}

/** Immutable bytes (blobs/blob-store.ts). */
export interface BlobsTable {
  /** SHA-256 of the bytes, 64 lower-case hex characters. */
  hash: string
  /** How many bytes they are when unpacked. */
  size: number
  compression: 'zstd' | 'none'
  /** The packed bytes, or null where they are a file. */
  content: Uint8Array | null
  /** The file of the packed bytes, below the folder of the blobs. */
  file: string | null
  created_at: number
  /** Since when nothing is known to refer to it; null while something does. */
  unused_since: number | null
}

/** The queue (jobs/jobs.ts). */
export interface JobsTable {
  id: string
  kind: string
  /** Of one kind and key, one job at most is `created`. */
  key: string | null
  /** JSON. */
  payload: string
  /** `blocked` is one that waits for its next try. */
  state: 'created' | 'blocked' | 'doing' | 'done' | 'canceled' | 'error'
  /** When a worker may take it: its time to begin, its next try, or the end of the lease. Null once it is over. */
  due_at: number | null
  /** Who holds it: a new one each time it is taken. */
  lease: string | null
  attempts: number
  /** From 0 to 100. */
  percent: number
  progress_text: string | null
  /** JSON array of code, message and time. */
  errors: string
  created_at: number
  updated_at: number
  done_at: number | null
}

/** A request that its sender may send again, for a day. */
export interface IdempotentRequestsTable {
  user_id: string
  /** As its sender chose it. */
  key: string
  /** The hash of its address and body. */
  request: string
  /** Whether something was changed by it. */
  carried_out: 0 | 1
  /** JSON; null while it is under way, or where its server has not survived it. */
  answer: string | null
  created_at: number
}
