import { Refusal } from '../app/client.ts'

/** Refusals of a server that is busy, or that still handles the same upload or others of the user. */
const temporaryCodes: ReadonlySet<string> = new Set([
  'API_RATE_LIMIT_EXCEEDED',
  'IDEMPOTENT_REQUEST_IN_PROGRESS',
  'TOO_MANY_TASKS',
])

/** Whether the same request can succeed later without the user: there is no network, or the server is busy. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.status === 0 || error.status === 408 || error.status >= 502 || temporaryCodes.has(error.code))

/** Seconds until a paused upload goes on, for the first pause, the second, … Later ones have 30. */
const pauseSeconds = [1, 2, 5, 10]

/**
 * Returns the seconds until a paused upload goes on.
 * @param pauses how often it was paused before
 * @param error why it is paused; the server may say how long
 */
export const pauseAfter = (pauses: number, error: unknown): number =>
  Math.max(pauseSeconds[pauses] ?? 30, error instanceof Refusal ? error.retryAfter : 0)

/**
 * Returns the key of an upload: a request with the same key is executed once. `crypto.randomUUID` exists only in pages that were
 * loaded by TLS.
 */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
