/** Every error that a caller can receive: its stable code, its HTTP status and its message. */
export const catalogue = {
  // The request itself
  BAD_REQUEST: { status: 400, message: 'The server cannot parse the request.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_PARAMETER: { status: 400, message: 'A parameter or body field is not valid.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor does not belong to this list.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This `Idempotency-Key` was used for a different request.',
  },
  IDEMPOTENT_REQUEST_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this `Idempotency-Key` is still running.',
  },
  IDEMPOTENT_ANSWER_LOST: {
    status: 409,
    message: 'The first request with this `Idempotency-Key` made changes, but its response was lost.',
  },
  UNAUTHORIZED: { status: 401, message: 'This operation requires a valid access token.' },
  DELEGATED_SESSION: {
    status: 403,
    message:
      'This session was opened with a sign-in link or a password that another person made. Sign in with a password of your own to manage the account.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The access token has none of the scopes that this operation requires.',
  },
  API_RATE_LIMIT_EXCEEDED: { status: 403, message: 'API rate limit exceeded.' },
  NOT_FOUND: { status: 404, message: 'There is no resource at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not support this method.' },
  CLIENT_DISCONNECTED: { status: 499, message: 'The client disconnected before the response.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this operation accepts.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'This operation does not accept the media type of the body.',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },

  // Accounts
  UNREADABLE_PICTURE: {
    status: 400,
    message:
      'The picture must be PNG, JPEG or WebP of at most 10 MiB and 64 million pixels, and must not be damaged.',
  },
  PICTURE_NOT_FOUND: { status: 404, message: 'The profile has no such picture.' },
  USER_NOT_FOUND: { status: 404, message: 'There is no such user.' },
  GROUP_NOT_FOUND: { status: 404, message: 'There is no such group.' },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'There is no such organization.' },
  TOO_MANY_TOKENS: { status: 403, message: 'The account has the maximum number of access tokens.' },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'There is no such webhook.' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'There is no such delivery.' },
  WEBHOOK_IS_OFF: { status: 409, message: 'The webhook is off.' },
  TOO_MANY_WEBHOOKS: { status: 403, message: 'There is the maximum number of webhooks.' },
  TOKEN_NOT_FOUND: { status: 404, message: 'There is no such access token.' },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    message:
      'A session cannot change the password or e-mail address of its own account here. Use the security page.',
  },
  TEACHER_PASSWORD_RESETS_DISABLED: {
    status: 403,
    message: 'The organization does not allow teachers to set passwords. Ask an administrator.',
  },
  PICTURE_SIGN_IN_OFF: {
    status: 403,
    message: 'The organization does not allow sign-in pages of classes. Ask an administrator.',
  },
  STUDENT_PLACED_BY_TEACHER: {
    status: 403,
    message:
      'A teacher added this student to your class. You can set a password only if an administrator, a roster or the student with the enrolment code did it. Ask an administrator.',
  },
  TEACHER_JOINED_BY_CODE: {
    status: 403,
    message:
      'You joined the class of this student with its enrolment code. You can set a password only if an administrator, a roster or another teacher added you to the class.',
  },
  STUDENT_USES_PROVIDER: {
    status: 403,
    message: 'This student signs in through a school account, so teachers cannot set a password.',
  },
  COMMON_PASSWORD: {
    status: 400,
    message:
      'The password is one of the most common passwords, which attackers try first. Choose another one.',
  },
  PASSWORD_LIKE_NAME: {
    status: 400,
    message:
      'The password is almost the name or address of the account, which attackers try first. Choose another one.',
  },
  WRONG_PASSWORD: { status: 403, message: 'The password is wrong.' },
  WRONG_CODE: { status: 403, message: 'The code is wrong or was already used.' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'There were too many attempts. Try again later.' },
  WRONG_PASSKEY: {
    status: 403,
    message: 'The passkey was not accepted: it is not one of this account, or the request has expired.',
  },
  PASSKEY_NOT_FOUND: { status: 404, message: 'There is no such passkey.' },
  TOO_MANY_PASSKEYS: { status: 403, message: 'The account has the maximum number of passkeys.' },
  PASSKEYS_UNAVAILABLE: {
    status: 409,
    message: 'Passkeys need a PUBLIC_URL with a host name, and with https unless the host is localhost.',
  },
  PASSKEY_REQUIRED: {
    status: 403,
    message: 'Your organization requires a passkey. Add one on the security page first.',
  },
  SECOND_FACTOR_ON: {
    status: 409,
    message: 'The account already has an authenticator app. Remove it first.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Your organization requires a second factor. Set it up on the security page first.',
  },
  SECOND_FACTOR_OFF: { status: 409, message: 'The account has no second factor.' },
  PROVIDER_MISSING: {
    status: 409,
    message: 'The organization requires sign-in through its provider, so it needs a provider.',
  },
  RULE_LOCKS_YOU_OUT: {
    status: 409,
    message:
      'Your own account does not satisfy this rule, so you could not sign in any more. Satisfy it first.',
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    message: 'This change requires a sign-in in the last 15 minutes. Sign out and sign in again.',
  },
  NO_MAILS_SENT: {
    status: 409,
    message: 'This server sends no mail, so it cannot verify an e-mail address or send a link.',
  },
  MEMBER_WITHOUT_EMAIL: { status: 409, message: 'The account has no e-mail address to send the link to.' },
  PROVIDER_REQUIRED: {
    status: 409,
    message: 'Members sign in through the provider of the organization, so a password opens nothing.',
  },
  SIGN_IN_NOT_FOUND: { status: 404, message: 'The member has no such session, token or connected app.' },
  USERNAME_TAKEN: { status: 409, message: 'Another user has this username.' },

  // Scores
  SCORE_NOT_FOUND: { status: 404, message: 'There is no such score.' },
  SCORE_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this score, but you do not have permission for this operation.',
  },
  PUBLIC_SCORES_DISABLED: {
    status: 403,
    message: 'The organization does not allow its members to make scores public.',
  },
  SCORE_NOT_TRASHED: { status: 409, message: 'The score is not in the trash.' },
  SCORE_TRASHED: { status: 409, message: 'The score is in the trash. Restore it first.' },
  REVISION_CONFLICT: {
    status: 409,
    message: 'Other users are saving revisions of this score at the same time. Try again.',
  },
  REVISION_OUTDATED: {
    status: 412,
    message: 'The score has a newer revision than the one in `If-Match`.',
  },
  TEMPLATE_LOCKED: {
    status: 409,
    message: 'The notes of the template are locked. Notes can only be added.',
  },
  REVISION_NOT_FOUND: { status: 404, message: 'The score has no such revision.' },
  TRACK_NOT_FOUND: { status: 404, message: 'The score has no such track.' },
  TRACK_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this track, but you do not have permission for this operation.',
  },
  TOO_MANY_TRACKS: {
    status: 403,
    message: 'You have added the maximum number of tracks to this score.',
  },
  UPLOAD_NOT_FOUND: { status: 404, message: 'You have no such upload.' },
  UPLOAD_OFFSET: { status: 409, message: 'The part does not begin where the upload ends.' },
  UPLOAD_INCOMPLETE: { status: 409, message: 'The recording has not been uploaded completely.' },
  TOO_MANY_UPLOADS: {
    status: 403,
    message: 'You have the maximum number of unfinished uploads. Delete one, or wait until one expires.',
  },
  UNREADABLE_RECORDING: {
    status: 400,
    message: 'The recording must be a WebM, Ogg, MP4, MP3, WAV or FLAC file.',
  },
  TRACK_WITHOUT_FILE: { status: 404, message: 'The recording of this track is stored elsewhere.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file has no bytes in this range.' },
  INVALID_DATA_ENCODING: { status: 400, message: '`data` is not valid base64.' },
  TRACKS_NOT_GENERATED: { status: 400, message: 'The server does not generate tracks.' },
  FORMAT_NOT_AVAILABLE: { status: 400, message: 'The server cannot export scores in this format.' },
  EXPORT_NEEDS_TASK: {
    status: 409,
    message: 'The recording is too long for a direct download. Create an export task.',
  },
  EXPORT_NEEDS_ACCOUNT: {
    status: 401,
    message: 'This export is only available with an account. Sign in or send an access token.',
  },
  GOOGLE_DRIVE_SCORE_NOT_FOUND: {
    status: 404,
    message: 'There is no such score. This server is not connected to Google Drive.',
  },
  GOOGLE_DRIVE_NOT_CONNECTED: { status: 400, message: 'This server is not connected to Google Drive.' },
  INVALID_MUSICXML: { status: 400, message: 'The file is not a MusicXML score.' },
  INVALID_ARCHIVE: { status: 400, message: 'The file is not a readable compressed score.' },
  INVALID_SCORE_JSON: { status: 400, message: 'The JSON is not a score.' },
  INVALID_MIDI: {
    status: 400,
    message: 'The file is not a Standard MIDI File that can be converted to notation.',
  },
  INVALID_SCORE: {
    status: 400,
    message: 'The score in the file is too large, or has values or characters that a score cannot have.',
  },
  UNKNOWN_FORMAT: { status: 400, message: 'The format of the file is not supported.' },
  FORMAT_NOT_SUPPORTED: { status: 400, message: 'The server cannot import scores in this format yet.' },
  SCORE_NOT_RENDERABLE: {
    status: 400,
    message: 'The notation engine cannot export this score in this format.',
  },
  SCORE_TOO_LONG: { status: 400, message: 'The score is too long for an audio export.' },
  COMMENT_NOT_FOUND: { status: 404, message: 'There is no such comment.' },
  TOO_MANY_SAVED_COMMENTS: { status: 403, message: 'You have saved the maximum number of comments.' },
  COMMENT_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this comment, but you do not have permission for this operation.',
  },

  // Sharing
  COLLABORATOR_NOT_FOUND: { status: 404, message: 'There is no such collaborator.' },
  COLLABORATOR_OUT_OF_REACH: {
    status: 403,
    message:
      'You cannot share with this collaborator, because one of the organizations does not allow sharing with outsiders.',
  },
  OWNER_KEEPS_RIGHTS: {
    status: 403,
    message: 'The owner has all rights. They can be neither granted nor revoked.',
  },
  STUDENTS_SHARE_WITHIN_ORGANIZATION: {
    status: 403,
    message:
      'Students can share only with members of their own organization, and only these members can share with them.',
  },

  // Collections and tasks
  COLLECTION_NOT_FOUND: { status: 404, message: 'There is no such collection.' },
  COLLECTION_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this collection, but you do not have permission for this operation.',
  },
  COLLECTION_TRASHED: {
    status: 409,
    message: 'The collection is in the trash and cannot be changed.',
  },
  COLLECTION_UNTRASH_UNSUPPORTED: { status: 400, message: 'A collection cannot be restored from the trash.' },
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'You follow too many scores at the same time. Ask again later, or without `follow=true`.',
  },
  TOO_MANY_COLLABORATORS: {
    status: 402,
    message: 'The maximum number of collaborators is reached.',
  },
  TOO_MANY_TASKS: {
    status: 402,
    message: 'You have the maximum number of unfinished tasks. Try again when some of them are done.',
  },
  TASK_NOT_FOUND: { status: 404, message: 'There is no such task.' },

  // Organizations, classes and groups
  ORGANIZATION_ACCESS_DENIED: {
    status: 403,
    message: 'Your role in the organization does not permit this operation.',
  },
  ROLE_OUT_OF_REACH: {
    status: 403,
    message: 'Your role does not permit this operation for a member with this role.',
  },
  LAST_ADMINISTRATOR: { status: 409, message: 'The organization would be left without an administrator.' },
  ACCOUNT_STORAGE_EXHAUSTED: { status: 402, message: 'The storage quota of the account is exhausted.' },
  ORGANIZATION_STORAGE_EXHAUSTED: {
    status: 402,
    message: 'The storage quota of the organization is exhausted.',
  },
  SEATS_EXHAUSTED: { status: 402, message: 'The organization has the maximum number of members.' },
  CLASSES_EXHAUSTED: {
    status: 402,
    message: 'The organization has the maximum number of classes. Archive a class first.',
  },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no such invitation.' },
  CLASS_NOT_FOUND: { status: 404, message: 'There is no such class.' },
  CLASS_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this class, but you do not have permission for this operation.',
  },
  CLASS_ARCHIVED: { status: 409, message: 'The class is archived and read-only.' },
  CLASS_STATE_CONFLICT: { status: 409, message: 'The state of the class does not permit this operation.' },
  LAST_TEACHER: { status: 409, message: 'The last teacher cannot leave the class.' },
  NOT_A_STUDENT: { status: 400, message: 'The user is not a student of the class.' },
  ASSIGNMENT_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this assignment, but you do not have permission for this operation.',
  },
  ASSIGNMENT_ARCHIVED: { status: 409, message: 'The assignment is archived and read-only.' },
  ASSIGNMENT_ATTACHMENTS_LIMIT: { status: 400, message: 'An assignment can have at most 50 attachments.' },
  ASSIGNMENT_STATE_CONFLICT: {
    status: 409,
    message: 'The state of the assignment does not permit this operation.',
  },
  ASSIGNMENT_NOT_FOUND: { status: 404, message: 'There is no such assignment.' },
  SUBMISSION_NOT_FOUND: { status: 404, message: 'There is no such submission.' },
  SUBMISSION_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this submission, but you do not have permission for this operation.',
  },
  SUBMISSION_FIELD_DENIED: { status: 403, message: 'You do not have permission to set this field.' },
  SUBMISSION_CLOSED: {
    status: 409,
    message: 'The assignment does not accept work any more: the days after its due date have passed.',
  },
  SUBMISSION_STATE_CONFLICT: {
    status: 409,
    message: 'The state of the submission does not permit this operation.',
  },
  SCORE_OF_SUBMISSION: {
    status: 409,
    message:
      'The score was created for a submission and cannot be deleted separately. A teacher can reset the submission.',
  },
  PLAYBACK_EXHAUSTED: {
    status: 403,
    message: 'The score was played the maximum number of times that the assignment allows.',
  },
  GROUP_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this group, but you do not have permission for this operation.',
  },
  GROUP_NAME_TAKEN: { status: 409, message: 'Another group of the class has this name.' },
  GROUP_READ_ONLY: { status: 403, message: 'The members of this group are managed by the server.' },

  // Apps
  APP_NOT_FOUND: { status: 404, message: 'You have registered no such app.' },
  TOO_MANY_APPS: { status: 403, message: 'You have registered the maximum number of apps.' },

  // Libraries
  RESOURCE_NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  RESOURCE_ACCESS_DENIED: {
    status: 403,
    message: 'You can see this resource, but you do not have permission for this operation.',
  },
  NOT_A_FOLDER: { status: 400, message: 'The resource is an assignment, not a folder.' },
  NOT_AN_ASSIGNMENT: { status: 400, message: 'The resource is a folder, not an assignment.' },
  FOLDERS_TOO_DEEP: { status: 409, message: 'Folders can be nested at most ten levels deep.' },
  FOLDER_INTO_ITSELF: {
    status: 409,
    message: 'A folder cannot be moved into itself or into one of its subfolders.',
  },
  RESOURCES_OF_OTHERS: {
    status: 409,
    message: 'Other users have added resources to this folder. Only an administrator can remove it.',
  },
  RESOURCE_NOT_PRIVATE: {
    status: 409,
    message:
      'A resource in the library of the organization cannot be private. Move it into your own library first.',
  },
  PUBLIC_RESOURCES_DISABLED: {
    status: 403,
    message: 'The organization does not allow its members to make resources public.',
  },
  TOO_MANY_RESOURCES: {
    status: 409,
    message: 'The folder is too large to copy in one request. Copy its subfolders one by one.',
  },
  ALREADY_IN_LIBRARY: { status: 409, message: 'The library already contains a copy of this assignment.' },

  // The service itself
  INTERNAL_ERROR: {
    status: 500,
    message: 'An internal error occurred. The server log contains the details under this id.',
  },
  SERVER_BUSY: {
    status: 503,
    message: 'The server is busy. Try again.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    message: 'The database cannot be reached or written to. Try again.',
  },
  STORAGE_UNAVAILABLE: { status: 503, message: 'Files cannot be stored or read. Try again.' },
  ENGINE_TIMEOUT: {
    status: 503,
    message: 'The score took the notation engine too long. Try again later, or with a smaller score.',
  },
  ENGINE_UNAVAILABLE: { status: 503, message: 'The notation engine is not available. Try again.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof catalogue

export interface FailureDetails {
  /** The offending parameter or body field, as a path: `title`, `builderData.scoreData.instruments`. */
  param?: string
  /** Describes the exact problem and its position (line, column or byte). Replaces the general message of the catalogue. */
  message?: string
  /** When the client can try again, in seconds. */
  retryAfter?: number
  /** The underlying error. It goes to the log, never to the caller. */
  cause?: unknown
}

/** An error for the caller. Only http/ turns it into a response. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly param: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? catalogue[code].message, { cause: details.cause })
    this.code = code
    this.param = details.param
    this.retryAfter = details.retryAfter
  }

  get status(): number {
    return catalogue[this.code].status
  }
}

/** Throws a `Failure` with a code of the catalogue. */
export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details)
}
