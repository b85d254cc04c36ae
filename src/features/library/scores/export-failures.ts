import type { Context } from '../../../context.ts'
import { type ErrorCode, Failure } from '../../../errors.ts'
import { minute } from '../../../lib/durations.ts'
import { type TtlCache, ttlCache } from '../../../lib/ttl-cache.ts'

/** The failure of an export, and the time until which it is repeated. */
interface FailedExport {
  readonly failure: Failure
  readonly until: number
}

export type ExportFailures = TtlCache<FailedExport>

/** Milliseconds for which an export that failed is not tried again. */
const ttl = 10 * minute

/** The failures that the same score would cause again, after a lot of work. */
const repeatable: ReadonlySet<ErrorCode> = new Set([
  'ENGINE_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'SCORE_NOT_RENDERABLE',
])

export const exportFailures = (): ExportFailures =>
  ttlCache({ groupOf: ({ failure }) => failure.code, ttl, maxEntries: 10_000 })

/**
 * Renders an export, unless it failed in the last ten minutes. It then fails in the same way without any work.
 * @param key the revision, the format and the selection of parts
 */
export async function renderUnlessFailed(
  { failedExports, clock }: Context,
  key: string,
  render: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const known = failedExports.get(key, clock.now())
  if (known) throw repeated(known, clock.now())
  try {
    return await render()
  } catch (error) {
    if (!(error instanceof Failure) || !repeatable.has(error.code)) throw error
    const failed = { failure: error, until: clock.now() + ttl }
    failedExports.set(key, clock.now(), failed)
    throw repeated(failed, clock.now())
  }
}

function repeated({ failure, until }: FailedExport, now: number): Failure {
  const { code, message, cause, status } = failure
  return new Failure(code, {
    message,
    cause,
    ...(status === 503 && { retryAfter: Math.ceil((until - now) / 1000) }),
  })
}
