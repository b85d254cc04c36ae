import { Failure } from '../../errors.ts'

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

/** The primary result code of an error of SQLite, undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

/** Whether another connection holds the lock, so that trying again a little later helps. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === busy || code === locked
}

/** Whether the handle was closed, as it is when a process ends while a late request still asks for something. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
}

/** What the caller meets: DATABASE_UNAVAILABLE where the file cannot be reached or written, else the error itself. */
export function fromSqlite(error: unknown): unknown {
  const code = resultCode(error)
  return isClosed(error) || (code !== undefined && unavailable.has(code))
    ? new Failure('DATABASE_UNAVAILABLE', { cause: error })
    : error
}
