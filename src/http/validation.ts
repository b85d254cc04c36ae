import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { type Failure, Failure as FailureClass, fail } from '../errors.ts'

const deepest = 64

function validator(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: false, removeAdditional: false, ...options })
  // The default export of this CommonJS package is typed as its namespace.
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addFormat('url', (text: string) => URL.canParse(text))
  ajv.addFormat('binary', true)
  return ajv
}

/**
 * Validates and serializes by the schemas of the contract, each compiled when it is first used: a hundred of them take
 * tens of megabytes and start-up time, and most processes use a few.
 */
export function useContractSchemas(server: FastifyInstance): void {
  const query = validator({ coerceTypes: 'array', useDefaults: true })
  // A body is taken as it is. Defaults complete what is created; a change is of what it names, so none there.
  const creation = validator({ useDefaults: true })
  const change = validator({})

  const compile: FastifySchemaCompiler<object> = ({ schema, method, httpPart }) => {
    const ajv = httpPart !== 'body' ? query : method === 'POST' ? creation : change
    let check: ReturnType<Ajv['compile']> | undefined
    return (value: unknown) => {
      check ??= ajv.compile(schema)
      if (check(value)) return { value }
      return { error: invalid(check.errors ?? [], httpPart) }
    }
  }
  server.setValidatorCompiler(compile)
  server.setSerializerCompiler(({ schema }) => {
    let write: ((value: unknown) => string) | undefined
    return (value) => {
      write ??= fastJsonStringify(schema as object)
      return write(value)
    }
  })
  server.setSchemaErrorFormatter((errors) => errors as unknown as Error)
}

/** Ajv's finding as an error that names the parameter or field. */
function invalid(errors: ErrorObject[], httpPart: string | undefined): Failure {
  // Where a value fits none of several shapes, the finding that got furthest into it is of the shape that was meant.
  const error = errors.reduce((best, next) => (depthOf(next) > depthOf(best) ? next : best))
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(error.params.missingProperty)
  const param = path.join('.') || httpPart || 'body'
  const message =
    error.keyword === 'required'
      ? 'is missing'
      : error.keyword === 'enum'
        ? `must be one of ${error.params.allowedValues.filter((value: unknown) => value !== null).join(', ')}`
        : error.message
  return new FailureClass('INVALID_PARAMETER', { param, message: `\`${param}\` ${message}.` })
}

const depthOf = (error: ErrorObject) => error.instancePath.split('/').length
const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Takes JSON bodies: UTF-8 only, at most 64 levels deep, no text that a database could not keep. */
export function parseJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset && !/^utf-?8$/i.test(charset)) {
      return done(new FailureClass('UNSUPPORTED_MEDIA_TYPE', { message: `JSON is UTF-8, not ${charset}.` }))
    }
    if (!isUtf8(bytes)) return done(new FailureClass('INVALID_JSON', { message: 'The body is not valid UTF-8.' }))
    let value: unknown
    try {
      value = JSON.parse(bytes.toString())
      refuseUnkeepable(value)
    } catch (error) {
      const isOurs = error instanceof FailureClass
      return done(isOurs ? error : new FailureClass('INVALID_JSON', { message: jsonMessage(error as SyntaxError) }))
    }
    done(null, value)
  })
}

/** V8 names the position, mostly, but quotes what is around it, which may be long or private: keep the place. */
function jsonMessage(error: SyntaxError): string {
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0]
  if (position) return `The body is not valid JSON: something is wrong at ${position}.`
  return `The body is not valid JSON${/end of JSON/.test(error.message) ? ': it ends too early' : ''}.`
}

/**
 * @throws INVALID_JSON when nested too deeply or with a key that could reach a prototype; INVALID_PARAMETER for text with
 * U+0000 or half a surrogate pair
 */
export function refuseUnkeepable(value: unknown): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }]
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, path, depth } = item
    if (typeof value === 'string') refuseText(value, path)
    else if (typeof value === 'object' && value !== null) {
      if (depth >= deepest) fail('INVALID_JSON', { message: `The body is nested more than ${deepest} levels deep.` })
      for (const [key, inner] of Object.entries(value)) {
        refuseText(key, path)
        if (key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(inner), 'prototype'))) {
          fail('INVALID_JSON', { message: `The body has the key "${key}", which is not accepted.` })
        }
        if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null)) {
          stack.push({ value: inner, path: path ? `${path}.${key}` : key, depth: depth + 1 })
        }
      }
    }
  }
}

function refuseText(text: string, param: string): void {
  if (text.includes('\0')) fail('INVALID_PARAMETER', { param, message: `\`${param}\` contains U+0000.` })
  if (!text.isWellFormed()) {
    fail('INVALID_PARAMETER', { param, message: `\`${param}\` contains half of a surrogate pair.` })
  }
}
