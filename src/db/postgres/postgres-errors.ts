import { Failure } from '../../errors.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serializationFailure = '40001'
const deadlockDetected = '40P01'
const featureNotSupported = '0A000'
/** Classes: 08 connection, 53 out of disk, memory or connections, 57 operator intervention, 58 system error. */
const unavailableClasses = new Set(['08', '53', '57', '58'])
const unavailableCodes = new Set(['55P03' /* lock_timeout */, '25P03' /* idle_in_transaction_session_timeout */])

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code
}

/** Whether the transaction lost against another one. */
function isConflict(error: unknown): boolean {
  const state = sqlState(error)
  return state === serializationFailure || state === deadlockDetected
}

/** Whether a prepared statement is from before a migration of its table. Its connection is of no more use. */
export function isStalePlan(error: unknown): boolean {
  return sqlState(error) === featureNotSupported && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
}

/** A transaction was undone with others of its group. It certainly did not happen. */
export class Undone extends Error {
  constructor(cause: unknown) {
    super('The transaction was undone with others of its group', { cause })
  }
}

/** Whether running the transaction once more is likely to help. */
export function isWorthAnotherRun(error: unknown): boolean {
  return isConflict(error) || isStalePlan(error) || error instanceof Undone
}

/** Whether the server said so, as opposed to the connection that broke or was never made. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'routine' in error
}

/** What the caller meets: DATABASE_UNAVAILABLE where the server is away, full or too slow, else the error itself. */
export function fromPostgres(error: unknown): unknown {
  const state = sqlState(error)
  const unavailable = isFromServer(error)
    ? state !== undefined &&
      (unavailableClasses.has(state.slice(0, 2)) || unavailableCodes.has(state) || isWorthAnotherRun(error))
    : error instanceof Error && !(error instanceof TypeError)
  return unavailable ? new Failure('DATABASE_UNAVAILABLE', { cause: error }) : error
}

/** Throws what the caller meets; what is worth another run stays what it is, for whoever can run it again. */
export function raise(error: unknown): never {
  throw isWorthAnotherRun(error) ? error : fromPostgres(error)
}
