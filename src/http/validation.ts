import { overridesDirection } from '../lib/text-direction.ts'
import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { Failure, fail } from '../errors.ts'
import { jsonExcess } from '../lib/json-shape.ts'
import { once } from '../lib/once.ts'
import { writerOf } from './json-writer.ts'

/**
 * Maximum nesting and number of values of a body: room for the longest lists of the interface. The length of
 * texts is not limited here.
 */
const limits = { depth: 64, values: 100_000 }

function validator(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: false, removeAdditional: false, ...options })
  // The default export of this CommonJS package is typed as its namespace.
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addFormat('url', (text: string) => URL.canParse(text))
  ajv.addFormat('binary', true)
  return ajv
}

// Values of a query are texts. Values of a body are not coerced. Defaults complete an object that is created. A change has no
// defaults, because it changes only the fields that it names.
const validatorOptions = {
  query: { coerceTypes: 'array', useDefaults: true },
  creation: { useDefaults: true },
  change: {},
} satisfies Record<string, Options>

type Kind = keyof typeof validatorOptions

/** Creates a function that compiles a schema when it is first needed, once for all servers of the process. */
function compiler(kind: Kind): (schema: object) => ValidateFunction {
  const ajv = once(() => validator(validatorOptions[kind]))
  const compiled = new WeakMap<object, ValidateFunction>()
  return (schema) => {
    const check = compiled.get(schema) ?? ajv().compile(schema)
    compiled.set(schema, check)
    return check
  }
}

const compilers = { query: compiler('query'), creation: compiler('creation'), change: compiler('change') }
const writers = new WeakMap<object, (value: unknown) => string>()

/**
 * Validates and serializes by the schemas of the contract. A schema is compiled when it is first used: a
 * hundred of them take tens of megabytes and start-up time, and most processes use a few.
 */
export function useContractSchemas(server: FastifyInstance): void {
  const compile: FastifySchemaCompiler<object> = ({ schema, method, httpPart }) => {
    const kind: Kind = httpPart !== 'body' ? 'query' : method === 'POST' ? 'creation' : 'change'
    let check: ValidateFunction | undefined
    return (value: unknown) => {
      check ??= compilers[kind](schema)
      if (check(value)) return { value }
      return { error: invalid(check.errors ?? [], httpPart) }
    }
  }
  server.setValidatorCompiler(compile)
  server.setSerializerCompiler(({ schema }) => {
    let write: ((value: unknown) => string) | undefined
    return (value) => {
      write ??= writerFor(schema as object)
      return write(value)
    }
  })
  server.setSchemaErrorFormatter((errors) => errors as unknown as Error)
}

/** Returns the writer of a schema, which all servers of the process share. */
function writerFor(schema: object): (value: unknown) => string {
  const write = writers.get(schema) ?? writerOf(schema)
  writers.set(schema, write)
  return write
}

/** Converts the errors of Ajv to one error that names the parameter or field. */
function invalid(errors: ErrorObject[], httpPart: string | undefined): Failure {
  // If a value matches none of several shapes, the deepest error belongs to the shape that the client most
  // likely meant.
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
  return new Failure('INVALID_PARAMETER', { param, message: `\`${param}\` ${message}.` })
}

const depthOf = (error: ErrorObject) => error.instancePath.split('/').length
const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * Accepts JSON bodies in UTF-8 with at most 64 levels and 100,000 values, and no text that a database cannot
 * store.
 */
export function parseJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let value: unknown
    try {
      value = parseJson(bytes, request.headers['content-type'] ?? '')
    } catch (error) {
      return done(error as Error)
    }
    done(null, value)
  })
}

/**
 * Accepts the empty form that some clients send to operations without a body. Elsewhere a form is an
 * unsupported media type.
 */
export function parseEmptyForms(server: FastifyInstance): void {
  const form = 'application/x-www-form-urlencoded'
  server.addContentTypeParser(form, { parseAs: 'buffer' }, (request, _bytes, done) => {
    const { emptyForm } = request.routeOptions.config as { emptyForm?: true }
    if (emptyForm) done(null, undefined)
    else done(new Failure('UNSUPPORTED_MEDIA_TYPE'))
  })
}

/** Accepts a body of bytes for the operations that take one. Elsewhere it is an unsupported media type. */
export function parseBytes(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      const { takesBytes } = request.routeOptions.config as { takesBytes?: boolean }
      if (takesBytes) done(null, bytes)
      else done(new Failure('UNSUPPORTED_MEDIA_TYPE'))
    },
  )
}

function parseJson(bytes: Buffer, mediaType: string): unknown {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    fail('UNSUPPORTED_MEDIA_TYPE', { message: `JSON must be UTF-8, not ${charset}.` })
  }
  if (!isUtf8(bytes)) fail('INVALID_JSON', { message: 'The body is not valid UTF-8.' })
  const text = bytes.toString()
  const excess = jsonExcess(text, limits)
  if (excess) {
    const problem =
      excess.limit === 'depth' ? `nests deeper than ${limits.depth}` : `has more than ${limits.values} values`
    fail('INVALID_JSON', { message: `The body ${problem} at character ${excess.index + 1}.` })
  }
  const value = parseText(text)
  rejectUnstorableText(value)
  return value
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail('INVALID_JSON', { message: jsonMessage(error as SyntaxError) })
  }
}

/**
 * Returns the position of a syntax error. The message of V8 also quotes the text around it, which may be long
 * or private.
 */
function jsonMessage(error: SyntaxError): string {
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0]
  if (position) return `The body is not valid JSON: error at ${position}.`
  return `The body is not valid JSON${/end of JSON/.test(error.message) ? ': unexpected end' : ''}.`
}

/**
 * @throws INVALID_JSON for a key that could reach a prototype; INVALID_PARAMETER for text with U+0000, with an unpaired
 *   surrogate or, unless it is as long as a file, with a character that overrides the direction
 */
export function rejectUnstorableText(value: unknown): void {
  const stack: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, path } = item
    if (typeof value === 'string') refuseText(value, path)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        refuseText(key, path)
        if (key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(inner), 'prototype'))) {
          fail('INVALID_JSON', { message: `The body has the key "${key}", which is not accepted.` })
        }
        if (typeof inner === 'string' || (typeof inner === 'object' && inner !== null)) {
          stack.push({ value: inner, path: path ? `${path}.${key}` : key })
        }
      }
    }
  }
}

/** The maximum length of a name or title. The files in bodies are usually longer. */
const longestName = 1000

function refuseText(text: string, param: string): void {
  if (text.includes('\0')) fail('INVALID_PARAMETER', { param, message: `\`${param}\` contains U+0000.` })
  if (!text.isWellFormed()) {
    fail('INVALID_PARAMETER', { param, message: `\`${param}\` contains half of a surrogate pair.` })
  }
  if (text.length <= longestName && overridesDirection(text)) {
    fail('INVALID_PARAMETER', {
      param,
      message: `\`${param}\` contains U+202D or U+202E, which show the text after them in reverse.`,
    })
  }
}
