/** Every error that a caller can meet: its stable code, its HTTP status and what it says. */
export const catalogue = {
  // The request itself
  BAD_REQUEST: { status: 400, message: 'The request could not be understood.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_PARAMETER: { status: 400, message: 'A parameter or a field of the body is not valid.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor is not one that this list has given out.' },
  UNAUTHORIZED: { status: 401, message: 'This operation needs a valid access token.' },
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
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'There is no such organization.' },
  TOKEN_NOT_FOUND: { status: 404, message: 'There is no such access token.' },
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
  INVALID_DATA_ENCODING: { status: 400, message: '`data` is not valid base64.' },
  FORMAT_NOT_AVAILABLE: { status: 400, message: 'Scores cannot be had in this format.' },
  EXPORT_NEEDS_TASK: {
    status: 409,
    message: 'This recording takes too long to make at once. Create an export task for it.',
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

  // Collections and tasks
  COLLECTION_NOT_FOUND: { status: 404, message: 'There is no such collection.' },
  COLLECTION_ACCESS_DENIED: { status: 403, message: 'This collection does not take scores.' },
  TOO_MANY_TASKS: {
    status: 402,
    message: 'You have as many tasks waiting as one account may. Try again when some are done.',
  },
  TASK_NOT_FOUND: { status: 404, message: 'There is no such task.' },

  // The service itself
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side. It is in the log under this id.' },
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
  /** The error underneath; it goes to the log, never to the caller. */
  cause?: unknown
}

/** An error that is meant for the caller. Only http/ turns it into a response. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly param: string | undefined

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? catalogue[code].message, { cause: details.cause })
    this.code = code
    this.param = details.param
  }

  get status(): number {
    return catalogue[this.code].status
  }
}

/** Ends what is being done with an error of the catalogue. */
export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details)
}
