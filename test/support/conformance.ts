import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { FlatErrorResponse } from '../../src/contract/errors.ts'
import { findByPath } from '../../src/lib/path-template.ts'
import { describedResponse, Empty, type Operation } from '../../src/operation.ts'
import type { Mount } from '../../src/contract/routes.ts'
import { internalOperations, operations } from '../../src/operations.ts'
import type { Reply } from './client.ts'
import { checkNotServed } from './not-served.ts'

const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))
const compiled = new Map<TSchema, ValidateFunction>()

/** Returns the operation that serves a request. */
export function operationOf(method: string, path: string, mount: Mount = '/v2'): Operation | undefined {
  const mounted: Operation[] = Object.values(mount === '/v2' ? operations : internalOperations)
  const taking = mounted.filter((one) => one.method === method || one.alsoMethod === method)
  return findByPath(taking, path.split('?')[0] ?? '')
}

/**
 * Checks the status, the body and the common headers of a response.
 * @throws Error if the response does not follow the contract
 */
export function checkConformance(mount: Mount, method: string, path: string, reply: Reply): void {
  const where = `${method} ${mount}${path} → ${reply.status}`
  if (mount === '/internal' && reply.headers.get('cache-control') !== 'no-store') {
    throw new Error(`${where}: Cache-Control is not no-store`)
  }
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
    if (!reply.headers.has(header) && method !== 'OPTIONS')
      throw new Error(`${where}: missing header ${header}`)
  }
  if (method === 'HEAD') {
    if (reply.bytes.length > 0) throw new Error(`${where}: unexpected body of a HEAD response`)
    return
  }
  if (reply.status >= 400) {
    check(where, FlatErrorResponse, reply.body)
    if (reply.status >= 500 !== 'id' in reply.body)
      throw new Error(`${where}: an error has an id if and only if its status is 5xx`)
    return
  }
  if (reply.status === 304) {
    if (reply.bytes.length > 0 || !reply.headers.has('etag'))
      throw new Error(`${where}: a 304 needs an ETag and no body`)
    return
  }
  const operation = operationOf(method, path, mount)
  if (!operation) return
  const response = operation.responses[reply.status]
  if (response === undefined) throw new Error(`${where}: ${operation.id} does not declare this status`)
  if (response === Empty) {
    if (reply.bytes.length > 0) throw new Error(`${where}: unexpected body`)
    return
  }
  const { files, body } = describedResponse(response)
  if (files) {
    const type = reply.headers.get('content-type')?.split(';')[0] ?? ''
    if (!files.includes(type)) throw new Error(`${where}: undeclared media type ${type}`)
    return
  }
  if (!body) return
  check(where, body, reply.body)
  checkNotServed(where, body, reply.body)
}

function check(where: string, schema: TSchema, body: unknown): void {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (!validate(body))
    throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
}
