import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { catalogue, type ErrorCode, Failure } from '../errors.ts'

/** The codes for errors of the web framework. */
const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** Seconds after which a client may repeat a request that was answered with 503. */
export const retryAfter = 5

/** Converts any error to one that can be sent. */
export function asFailure(error: Error | FastifyError): Failure {
  if (error instanceof Failure) return error
  const code = 'code' in error ? frameworkErrors[error.code] : undefined
  if (code) return new Failure(code, { cause: error })
  // Errors of the static file server have no codes that we know.
  const { statusCode = 500 } = error as Partial<FastifyError>
  if (statusCode < 500) return new Failure(statusCode === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', { cause: error })
  return new Failure('INTERNAL_ERROR', { cause: error })
}

/** The codes of requests that a limit of the server refuses. */
const refusals: ReadonlySet<ErrorCode> = new Set(['ENGINE_TIMEOUT', 'SERVER_BUSY'])

const sentCodes = new WeakMap<FastifyRequest, ErrorCode>()

/** Returns the code of the error that a request was answered with. */
export const sentCodeOf = (request: FastifyRequest): ErrorCode | undefined => sentCodes.get(request)

/**
 * Records the error that a request is answered with, for the metrics, and logs a failure of the server. A request that a limit of
 * the server refuses is no failure: many of them must not fill the log with stacks.
 */
export function recordFailure(failedRequest: FastifyRequest, failure: Failure): void {
  const { log, id: request } = failedRequest
  const { status, code, cause } = failure
  sentCodes.set(failedRequest, code)
  if (refusals.has(code) && cause === undefined) log.info({ request }, code)
  else if (status >= 500) log.error({ err: cause ?? failure, request }, code)
}

/** Sends an error. No other code converts errors to responses. */
export function sendError(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): void {
  const failure = asFailure(error)
  const { status } = failure
  recordFailure(request, failure)
  const seconds = failure.retryAfter ?? (status === 503 ? retryAfter : undefined)
  if (seconds !== undefined) reply.header('Retry-After', seconds)
  reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        code: failure.code,
        message: failure.message,
        ...(status >= 500 && { id: request.id }),
        ...(failure.param !== undefined && { param: failure.param }),
      }),
    )
}

/**
 * Returns the bytes of an error response for a request that could not be parsed. They are written to the
 * socket.
 */
export function errorBytes(code: ErrorCode): string {
  const { status, message } = catalogue[code]
  const body = JSON.stringify({ code, message })
  return `HTTP/1.1 ${status} ${code}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
