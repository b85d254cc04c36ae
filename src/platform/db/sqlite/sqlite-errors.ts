import { Failure } from '../../../errors.ts'

/** Primary result codes, https://www.sqlite.org/rescode.html */
const busy = 5
const locked = 6
const unavailable = new Set([
  busy,
  locked,
  7, // NOMEM
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL: the lock was not had for an unusually long time
  26, // NOTADB
])

/** Returns the primary result code of a SQLite error. Returns undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Whether another connection holds the lock, so that a later retry can succeed. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === busy || code === locked
}

/**
 * Whether the handle is closed. This happens if a request still runs a query while the process shuts down.
 */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
}

/**
 * Converts an error for the caller: DATABASE_UNAVAILABLE if the file cannot be accessed or written, else the
 * error itself.
 */
export function fromSqlite(error: unknown): unknown {
  const code = resultCode(error)
  return isClosed(error) || (code !== undefined && unavailable.has(code))
    ? new Failure('DATABASE_UNAVAILABLE', { cause: error })
    : error
}
