import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { catalogue, type ErrorCode, Failure } from '../errors.ts'

/** What the web framework itself refuses, in our words. */
const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** When it is worth to try again what could not be served, in seconds. */
const retryAfter = 5

/** Any error as one that may be shown. */
function asFailure(error: FastifyError | Failure): Failure {
  if (error instanceof Failure) return error
  const code = frameworkErrors[error.code]
  if (code) return new Failure(code, { cause: error })
  // The server of static files has no codes of its own.
  const { statusCode = 500 } = error
  if (statusCode < 500) return new Failure(statusCode === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', { cause: error })
  return new Failure('INTERNAL_ERROR', { cause: error })
}

/** The one place where an error becomes a response. */
export function sendError(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): void {
  const failure = asFailure(error)
  const { status } = failure
  if (status >= 500) request.log.error({ err: failure.cause ?? failure, request: request.id }, failure.code)
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

/** The same body for a request that is so broken that it never became one: written on the socket itself. */
export function errorBytes(code: ErrorCode): string {
  const { status, message } = catalogue[code]
  const body = JSON.stringify({ code, message })
  return `HTTP/1.1 ${status} ${code}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
