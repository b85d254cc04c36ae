/** Every error that a caller can meet: its stable code, its HTTP status and what it says. */
export const catalogue = {
  // The request itself
  BAD_REQUEST: { status: 400, message: 'The request could not be understood.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_PARAMETER: { status: 400, message: 'A parameter or a field of the body is not valid.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor is not one that this list has given out.' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This `Idempotency-Key` was sent with another request before.' },
  IDEMPOTENT_REQUEST_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this `Idempotency-Key` is under way.',
  },
  IDEMPOTENT_ANSWER_LOST: {
    status: 409,
    message: 'The first request with this `Idempotency-Key` has changed something, but its answer was lost.',
  },
  UNAUTHORIZED: { status: 401, message: 'This operation needs a valid access token.' },
  CROSS_SITE_REQUEST: { status: 403, message: 'This was sent by the page of another site. Nothing was done.' },
  SIGNED_IN_BY_LINK: {
    status: 403,
    message:
      'Somebody else has made the link that signed you in. The account itself is for who signs in with the password.',
  },
  INSUFFICIENT_SCOPE: { status: 403, message: 'The access token has none of the scopes of this operation.' },
  API_RATE_LIMIT_EXCEEDED: { status: 403, message: 'API rate limit exceeded.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take this method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this operation takes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body has a media type that this operation does not take.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are too large.' },

  // Accounts
  USER_NOT_FOUND: { status: 404, message: 'There is no such user.' },
  GROUP_NOT_FOUND: { status: 404, message: 'There is no such group.' },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'There is no such organization.' },
  TOO_MANY_TOKENS: { status: 403, message: 'You have as many access tokens as one account may.' },
  TOKEN_NOT_FOUND: { status: 404, message: 'There is no such access token.' },
  WRONG_PASSWORD: { status: 403, message: 'This is not the password of the account.' },
  WRONG_CODE: { status: 403, message: 'The code is wrong, or was used already.' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'That was tried too often. Try again later.' },
  SECOND_FACTOR_ON: { status: 409, message: 'The account has a second factor already. Take it off first.' },
  SECOND_FACTOR_OFF: { status: 409, message: 'The account has no second factor.' },
  NO_MAILS_SENT: { status: 409, message: 'This server sends no mails, by which an address could be verified.' },
  USERNAME_TAKEN: { status: 409, message: 'Another user has this username.' },

  // Scores
  SCORE_NOT_FOUND: { status: 404, message: 'There is no such score.' },
  SCORE_ACCESS_DENIED: { status: 403, message: 'You can see this score but not do this with it.' },
  PUBLIC_SCORES_DISABLED: { status: 403, message: 'The organization does not let its members’ scores be public.' },
  SCORE_NOT_TRASHED: { status: 409, message: 'The score is not in the trash.' },
  SCORE_TRASHED: { status: 409, message: 'The score is in the trash. Take it out first.' },
  REVISION_CONFLICT: {
    status: 409,
    message: 'Others keep saving revisions of this score at the same time. Try again.',
  },
  REVISION_NOT_FOUND: { status: 404, message: 'The score has no such revision.' },
  TRACK_NOT_FOUND: { status: 404, message: 'The score has no such track.' },
  TRACK_ACCESS_DENIED: { status: 403, message: 'You can see this track but not do this with it.' },
  TOO_MANY_TRACKS: { status: 403, message: 'You have added as many tracks to this score as one account may.' },
  INVALID_DATA_ENCODING: { status: 400, message: '`data` is not valid base64.' },
  FORMAT_NOT_AVAILABLE: { status: 400, message: 'Scores cannot be had in this format.' },
  EXPORT_NEEDS_TASK: {
    status: 409,
    message: 'This recording takes too long to make at once. Create an export task for it.',
  },
  GOOGLE_DRIVE_SCORE_NOT_FOUND: {
    status: 404,
    message: 'There is no such score: this server has no connection to Google Drive.',
  },
  GOOGLE_DRIVE_NOT_CONNECTED: { status: 400, message: 'This server has no connection to Google Drive.' },
  INVALID_MUSICXML: { status: 400, message: 'The file is not a score in MusicXML.' },
  INVALID_ARCHIVE: { status: 400, message: 'The file is not a compressed score that can be opened.' },
  INVALID_SCORE_JSON: { status: 400, message: 'The JSON is not a score.' },
  INVALID_MIDI: { status: 400, message: 'The file is not a Standard MIDI File that can be notated.' },
  UNKNOWN_FORMAT: { status: 400, message: 'The file is in no score format that this server knows.' },
  FORMAT_NOT_SUPPORTED: { status: 400, message: 'Scores in this format cannot be read yet.' },
  SCORE_NOT_RENDERABLE: { status: 400, message: 'The notation engine cannot make this format of this score.' },
  SCORE_TOO_LONG: { status: 400, message: 'The score lasts too long to be made into sound.' },
  COMMENT_NOT_FOUND: { status: 404, message: 'There is no such comment.' },
  COMMENT_ACCESS_DENIED: { status: 403, message: 'You can see this comment but not do this with it.' },

  // Sharing
  COLLABORATOR_NOT_FOUND: { status: 404, message: 'There is no such collaborator.' },
  COLLABORATOR_OUT_OF_REACH: {
    status: 403,
    message: 'This cannot be shared there: an organization that is not open to the outside is between.',
  },
  OWNER_KEEPS_RIGHTS: { status: 403, message: 'The owner may do everything: that can be neither given nor taken.' },
  STUDENTS_SHARE_WITHIN_ORGANIZATION: {
    status: 403,
    message: 'Students share with members of their own organization only, and nobody else with them.',
  },

  // Collections and tasks
  COLLECTION_NOT_FOUND: { status: 404, message: 'There is no such collection.' },
  COLLECTION_ACCESS_DENIED: { status: 403, message: 'You can see this collection but not do this with it.' },
  COLLECTION_TRASHED: { status: 409, message: 'The collection is in the trash, where nothing about it changes.' },
  COLLECTION_UNTRASH_UNSUPPORTED: { status: 400, message: 'A collection cannot be taken out of the trash.' },
  TOO_MANY_COLLABORATORS: {
    status: 402,
    message: 'It is shared with as many people, groups and addresses as it may be.',
  },
  TOO_MANY_TASKS: {
    status: 402,
    message: 'You have as many tasks waiting as one account may. Try again when some are done.',
  },
  TASK_NOT_FOUND: { status: 404, message: 'There is no such task.' },

  // Organizations, classes and groups
  ORGANIZATION_ACCESS_DENIED: { status: 403, message: 'Your role in the organization does not let you do this.' },
  ROLE_OUT_OF_REACH: { status: 403, message: 'You cannot do this to somebody of this role.' },
  LAST_ADMINISTRATOR: { status: 409, message: 'The organization would be left without an administrator.' },
  SEATS_EXHAUSTED: { status: 402, message: 'The organization has as many members as it may.' },
  CLASSES_EXHAUSTED: { status: 402, message: 'The organization has as many classes as it may. Archive one first.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no such invitation.' },
  CLASS_NOT_FOUND: { status: 404, message: 'There is no such class.' },
  CLASS_ACCESS_DENIED: { status: 403, message: 'You can see this class but not do this in it.' },
  CLASS_ARCHIVED: { status: 409, message: 'The class is archived, and can only be read.' },
  CLASS_STATE_CONFLICT: { status: 409, message: 'The class is not in a state in which this can be done.' },
  LAST_TEACHER: { status: 409, message: 'The last teacher cannot leave the class.' },
  NOT_A_STUDENT: { status: 400, message: 'The user is not a student of the class.' },
  ASSIGNMENT_ACCESS_DENIED: { status: 403, message: 'You can see this assignment but not do this with it.' },
  ASSIGNMENT_ARCHIVED: { status: 409, message: 'The assignment is archived, and can only be read.' },
  ASSIGNMENT_ATTACHMENTS_LIMIT: { status: 400, message: 'An assignment may have 50 attachments.' },
  ASSIGNMENT_STATE_CONFLICT: { status: 409, message: 'The assignment is not in a state in which this can be done.' },
  ASSIGNMENT_NOT_FOUND: { status: 404, message: 'There is no such assignment.' },
  SUBMISSION_NOT_FOUND: { status: 404, message: 'There is no such submission.' },
  SUBMISSION_ACCESS_DENIED: { status: 403, message: 'You can see this submission but not do this with it.' },
  SUBMISSION_FIELD_DENIED: { status: 403, message: 'This field is not yours to set.' },
  SUBMISSION_STATE_CONFLICT: { status: 409, message: 'The submission is not in a state in which this can be done.' },
  SCORE_OF_SUBMISSION: {
    status: 409,
    message: 'The score was made for a submission and goes with it. A teacher can reset that.',
  },
  PLAYBACK_EXHAUSTED: { status: 403, message: 'The score was played as often as the assignment allows.' },
  GROUP_ACCESS_DENIED: { status: 403, message: 'You can see this group but not do this with it.' },
  GROUP_NAME_TAKEN: { status: 409, message: 'Another group of the class has this name.' },
  GROUP_HAS_WORK: { status: 409, message: 'The group has work of its own, which would be lost.' },
  GROUP_READ_ONLY: { status: 403, message: 'The members of this group follow from the class.' },

  // Apps
  APP_NOT_FOUND: { status: 404, message: 'You have registered no such app.' },
  TOO_MANY_APPS: { status: 403, message: 'You have registered as many apps as one account may.' },

  // Libraries
  RESOURCE_NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  RESOURCE_ACCESS_DENIED: { status: 403, message: 'You can see this resource but not do this with it.' },
  NOT_A_FOLDER: { status: 400, message: 'The resource is an assignment, in which nothing can lie.' },
  NOT_AN_ASSIGNMENT: { status: 400, message: 'The resource is a folder, and not an assignment.' },
  FOLDERS_TOO_DEEP: { status: 409, message: 'Folders lie in one another ten deep at most.' },
  FOLDER_INTO_ITSELF: { status: 409, message: 'A folder cannot be moved into itself or what lies in it.' },
  RESOURCES_OF_OTHERS: {
    status: 409,
    message: 'Others have put something into this folder. Only an administrator can take it away.',
  },
  RESOURCE_NOT_PRIVATE: {
    status: 409,
    message: 'In the library of the organization nothing is private. Move it into your own first.',
  },
  PUBLIC_RESOURCES_DISABLED: {
    status: 403,
    message: 'The organization does not let what its members have be public.',
  },
  TOO_MANY_RESOURCES: { status: 409, message: 'This is more than can be copied at once. Copy it folder by folder.' },
  ALREADY_IN_LIBRARY: { status: 409, message: 'A copy of this assignment is in the library already.' },

  // The service itself
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side. It is in the log under this id.' },
  SERVER_BUSY: { status: 503, message: 'The server has as much to do at the moment as it can hold. Try again.' },
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database cannot be reached or written to right now. Try again.' },
  STORAGE_UNAVAILABLE: { status: 503, message: 'Files cannot be stored or read right now. Try again.' },
  ENGINE_UNAVAILABLE: { status: 503, message: 'The notation engine did not answer in time. Try again.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof catalogue

export interface FailureDetails {
  /** The offending parameter or body field, as a path: `title`, `builderData.scoreData.instruments`. */
  param?: string
  /** What exactly is wrong and where (line, column or byte); replaces the catalogue's general message. */
  message?: string
  /** When it is worth to try again, in seconds. */
  retryAfter?: number
  /** The error underneath; it goes to the log, never to the caller. */
  cause?: unknown
}

/** An error that is meant for the caller. Only http/ turns it into a response. */
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

/** Ends what is being done with an error of the catalogue. */
export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details)
}
