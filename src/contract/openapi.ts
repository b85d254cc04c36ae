import type { TSchema } from 'typebox'
import { describedResponse, Empty, type Operation, type Responses } from '../operation.ts'
import { codeSamples } from './code-samples.ts'
import { type Example, type Examples, readExamples } from './examples.ts'
import { extensions } from './extensions.ts'
import { FlatErrorResponse } from './errors.ts'
import { extension, isOfBytes } from './schema.ts'
import { scopes } from './scopes.ts'
import { tags } from './tags.ts'

type Json = { [key: string]: unknown }

/** The version of the published interface. */
export const interfaceVersion = '2.23.0'

const rateLimitHeaders = {
  'X-RateLimit-Limit': { description: 'Maximum number of requests per hour.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Number of requests left in the current hour.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the current hour ends, in UTC epoch seconds.',
    schema: { type: 'integer' },
  },
}

const scopesInWords = [
  'What a token allows. An app asks the user for scopes. The user chooses those of a personal token.',
  '',
  ...Object.entries(scopes).map(([scope, words]) => `- \`${scope}\`: ${words}`),
].join('\n')

/** The OpenAPI 3.0.3 document of the published interface and its extensions, with examples. */
export function openapiDocument(operations: readonly Operation[], publicUrl: string): Json {
  return documentOf(operations, `${publicUrl}/v2`, {
    title: 'Partita',
    description:
      'An HTTP interface for music scores and music education: scores, revisions and exports, ' +
      'collections, organizations, classes, assignments, submissions and resource libraries. ' +
      'Request bodies are JSON. Lists are bare arrays. The `Link` header contains the addresses ' +
      'of the neighbouring pages. A token needs any one of the scopes of an operation. ' +
      'Responses to read operations have an `ETag`. A request with a matching `If-None-Match` is ' +
      'answered with 304, which counts as a third of a request against the rate limit. The server ' +
      'executes a POST with an `Idempotency-Key` once and repeats the first response for one day. ' +
      'An operation whose response contains a secret ignores the key.',
    securitySchemes: {
      // Without flows: their URLs depend on the server, and apps find them in the server metadata (RFC 8414).
      OAuth2: { type: 'oauth2', description: scopesInWords, flows: {} },
      PersonalToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token from the account page or `partita token create`.',
      },
    },
    examples: readExamples(publicUrl),
  })
}

/** The OpenAPI 3.0.3 document of the operations of our own pages. */
export function internalDocument(operations: readonly Operation[], publicUrl: string): Json {
  return documentOf(operations, `${publicUrl}/internal`, {
    title: 'Partita, internal',
    description:
      'The operations that the pages of this server call. They are not part of the published interface and may change with ' +
      'any release. They take the session of a browser. Its cookie counts only for requests that a script of our own pages ' +
      'sends with the header `X-Partita-Client`.',
    securitySchemes: {
      Session: { type: 'apiKey', in: 'cookie', name: 'partita_session' },
      Client: { type: 'apiKey', in: 'header', name: 'X-Partita-Client' },
    },
    examples: {},
  })
}

interface DocumentInformation {
  title: string
  description: string
  securitySchemes: Json
  examples: Examples
}

/** Every schema with a title becomes a component. */
function documentOf(
  operations: readonly Operation[],
  server: string,
  information: DocumentInformation,
): Json {
  const components: Json = {}
  const reference = componentWriter(components)
  const paths: Record<string, Json> = {}

  for (const operation of operations) {
    const { id, path, method, alsoMethod } = operation
    const examples = information.examples[id] ?? []
    paths[path] ??= {}
    const item = paths[path]
    for (const one of [method, ...(alsoMethod ? [alsoMethod] : [])]) {
      item[one.toLowerCase()] = {
        ...describe(operation, one === method ? id : `${id}By${one}`, examples, reference),
        ...(examples[0] && { 'x-codeSamples': codeSamples(operation, one, server, examples[0]) }),
      }
    }
  }
  const used = new Set<string>(operations.map(({ tag }) => tag))

  return {
    openapi: '3.0.3',
    info: {
      title: information.title,
      version: interfaceVersion,
      description: information.description,
      license: { name: 'AGPL-3.0-or-later', url: 'https://www.gnu.org/licenses/agpl-3.0.html' },
    },
    servers: [{ url: server }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components,
      responses: {
        Error: {
          description: 'The request failed. `code` identifies the reason and `message` explains it.',
          headers: rateLimitHeaders,
          content: { 'application/json': { schema: reference(FlatErrorResponse) } },
        },
      },
      securitySchemes: information.securitySchemes,
    },
  }
}

type Reference = (schema: TSchema) => Json

function describe(
  operation: Operation,
  operationId: string,
  examples: readonly Example[],
  reference: Reference,
): Json {
  const error = { $ref: '#/components/responses/Error' }
  const [example] = examples
  const parameters = [
    ...parametersOf(operation, 'path', example, reference),
    ...parametersOf(operation, 'query', example, reference),
  ]
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.id in extensions && { 'x-partita-extension': true }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: operation.bodyRequired ?? true,
        content: isOfBytes(operation.body)
          ? { 'application/octet-stream': { schema: reference(operation.body) } }
          : { 'application/json': { schema: reference(operation.body), ...exampleOf(example?.body) } },
      },
    }),
    ...(operation.emptyForm && {
      requestBody: {
        required: false,
        content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          describeResponse(
            response,
            examples.find((one) => one.status === Number(status)),
            reference,
          ),
        ]),
      ),
      ...Object.fromEntries((operation.errors ?? []).map((status) => [status, error])),
      default: error,
    },
    security: securityOf(operation),
  }
}

function securityOf({ accepts, scopes, anonymous }: Operation): Json[] {
  if (accepts === 'session') return [{ Session: [], Client: [] }]
  return [{ OAuth2: scopes }, { PersonalToken: [] }, ...(anonymous ? [{}] : [])]
}

const exampleOf = (example: unknown): Json => (example === undefined ? {} : { example })

function parametersOf(
  operation: Operation,
  where: 'path' | 'query',
  example: Example | undefined,
  reference: Reference,
): Json[] {
  const object = (where === 'path' ? operation.params : operation.query) as
    | { properties: Record<string, TSchema & { description?: string }>; required?: string[] }
    | undefined
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: where,
    required: object?.required?.includes(name) ?? false,
    ...(schema.description && { description: schema.description }),
    ...('x-partita-extension' in schema && extension),
    schema: reference(schema),
    ...exampleOf(example?.parameters[name]),
  }))
}

function describeResponse(
  response: Responses[number],
  example: Example | undefined,
  reference: Reference,
): Json {
  if (response === Empty) return { description: 'Success, without a body.', headers: rateLimitHeaders }
  const { body, files = [], headers = {} } = describedResponse(response)
  return {
    description: 'Success.',
    headers: {
      ...rateLimitHeaders,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, schema]) => [name, { schema: reference(schema) }]),
      ),
    },
    content: Object.fromEntries([
      ...files.map((type) => [
        type,
        {
          schema: { type: 'string', format: 'binary' },
          ...(type === example?.mediaType && exampleOf(example.answer)),
        },
      ]),
      ...(body ? [['application/json', { schema: reference(body), ...exampleOf(example?.answer) }]] : []),
    ]),
  }
}

/**
 * Returns a function that converts a schema for the document. A schema with a title becomes a component and a
 * reference to it. Other schemas are converted in place.
 */
function componentWriter(components: Json): Reference {
  const convert = (value: unknown, component: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((item) => convert(item, component))
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = value as Json
    if (rest.$ref === '#') return { $ref: `#/components/schemas/${component}` }
    if (typeof title !== 'string') return convertProperties(rest, component)
    if (!(title in components)) {
      components[title] = undefined // keeps the order in which components occur
      components[title] = convertProperties(rest, title)
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  const convertProperties = (schema: Json, component: string | undefined): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        // Names of properties are not keywords: a property may be called `title`.
        key === 'properties'
          ? Object.fromEntries(
              Object.entries(value as Json).map(([name, inner]) => [name, convert(inner, component)]),
            )
          : key === 'enum' || key === 'default' || key === 'required'
            ? value
            : convert(value, component),
      ]),
    )
  return (schema) => convert(schema, undefined) as Json
}
