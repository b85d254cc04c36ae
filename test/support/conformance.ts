import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { FlatErrorResponse } from '../../src/contract/errors.ts'
import { findByPath } from '../../src/lib/path-template.ts'
import { describedResponse, Empty, type Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import type { Reply } from './client.ts'

const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))
const compiled = new Map<TSchema, ValidateFunction>()

/** The operation that a request is for. */
export function operationOf(method: string, path: string): Operation | undefined {
  const taking = Object.values(operations).filter((one) => one.method === method || one.alsoMethod === method)
  return findByPath(taking, path.split('?')[0] ?? '')
}

/** Throws where an answer under /v2 is not what the contract says: its status, its body, the headers that all have. */
export function checkConformance(method: string, path: string, reply: Reply): void {
  const where = `${method} ${path} → ${reply.status}`
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
    if (!reply.headers.has(header) && method !== 'OPTIONS') throw new Error(`${where}: no ${header} header`)
  }
  if (method === 'HEAD') {
    if (reply.bytes.length > 0) throw new Error(`${where}: a body in answer to HEAD`)
    return
  }
  if (reply.status >= 400) {
    check(where, FlatErrorResponse, reply.body)
    if (reply.status >= 500 !== 'id' in reply.body) throw new Error(`${where}: an id is for 5xx, and for these only`)
    return
  }
  if (reply.status === 304) {
    if (reply.bytes.length > 0 || !reply.headers.has('etag')) throw new Error(`${where}: a body, or no entity tag`)
    return
  }
  const operation = operationOf(method, path)
  if (!operation) return
  const response = operation.responses[reply.status]
  if (response === undefined) throw new Error(`${where}: ${operation.id} does not declare this status`)
  if (response === Empty) {
    if (reply.bytes.length > 0) throw new Error(`${where}: a body where there is none`)
    return
  }
  const { files, body } = describedResponse(response)
  if (files) {
    const type = reply.headers.get('content-type')?.split(';')[0] ?? ''
    if (!files.includes(type)) throw new Error(`${where}: undeclared media type ${type}`)
    return
  }
  if (body) check(where, body, reply.body)
}

function check(where: string, schema: TSchema, body: unknown): void {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (!validate(body)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
}
