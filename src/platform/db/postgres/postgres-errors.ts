import { Failure } from '../../../errors.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serializationFailure = '40001'
const deadlockDetected = '40P01'
const featureNotSupported = '0A000'
const lockNotAvailable = '55P03'
/** Classes: 08 connection, 53 out of disk, memory or connections, 57 operator intervention, 58 system error. */
const unavailableClasses = new Set(['08', '53', '57', '58'])
const unavailableCodes = new Set([lockNotAvailable, '25P03' /* idle_in_transaction_session_timeout */])

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code
}

/** Whether the transaction lost a conflict with another one. */
function isConflict(error: unknown): boolean {
  const state = sqlState(error)
  return state === serializationFailure || state === deadlockDetected
}

/** Whether a lock was not available within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === lockNotAvailable

/**
 * Whether a prepared statement became stale by a migration of its table. Its connection can no longer be
 * used.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    sqlState(error) === featureNotSupported &&
    (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
  )
}

/** The error of a transaction that was rolled back together with its group. None of its writes happened. */
export class RolledBackWithGroup extends Error {
  constructor(cause: unknown) {
    super('The transaction was undone with others of its group', { cause })
  }
}

/** Whether a retry of the transaction is likely to succeed. */
export function isRetryable(error: unknown): boolean {
  return isConflict(error) || isStalePlan(error) || error instanceof RolledBackWithGroup
}

/** Whether the server reported the error. False if the connection broke or was never established. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'routine' in error
}

/**
 * Converts an error for the caller: DATABASE_UNAVAILABLE if the server is unreachable, full or too slow, else
 * the error itself.
 */
export function fromPostgres(error: unknown): unknown {
  const state = sqlState(error)
  const unavailable = isFromServer(error)
    ? state !== undefined &&
      (unavailableClasses.has(state.slice(0, 2)) || unavailableCodes.has(state) || isRetryable(error))
    : error instanceof Error && !(error instanceof TypeError)
  return unavailable ? new Failure('DATABASE_UNAVAILABLE', { cause: error }) : error
}

/**
 * Throws the error for the caller. Retryable errors are thrown unchanged, so that the code that retries
 * recognizes them.
 */
export function raise(error: unknown): never {
  throw isRetryable(error) ? error : fromPostgres(error)
}
