import { Failure } from '../../errors.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serializationFailure = '40001'
const deadlockDetected = '40P01'
/** Classes: 08 connection, 53 out of disk, memory or connections, 57 operator intervention, 58 system error. */
const unavailableClasses = new Set(['08', '53', '57', '58'])
const unavailableCodes = new Set(['55P03' /* lock_timeout */, '25P03' /* idle_in_transaction_session_timeout */])

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code
}

/** Whether the transaction lost against another one, so that running it again helps. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error)
  return state === serializationFailure || state === deadlockDetected
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
      (unavailableClasses.has(state.slice(0, 2)) || unavailableCodes.has(state) || isConflict(error))
    : error instanceof Error && !(error instanceof TypeError)
  return unavailable ? new Failure('DATABASE_UNAVAILABLE', { cause: error }) : error
}
