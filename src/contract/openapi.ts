import type { TSchema } from 'typebox'
import { describedResponse, Empty, type Operation, type Responses } from '../operation.ts'
import { extensions } from './extensions.ts'
import { FlatErrorResponse } from './errors.ts'
import { extension } from './schema.ts'
import { scopes } from './scopes.ts'
import { tags } from './tags.ts'

type Json = { [key: string]: unknown }

const rateLimitHeaders = {
  'X-RateLimit-Limit': { description: 'Requests an hour.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this hour.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the hour ends, in UTC epoch seconds.', schema: { type: 'integer' } },
}

const scopesInWords = [
  'What a token allows. Tokens are made by `partita token create --scopes`; there are no pages yet on which people are asked for one.',
  '',
  ...Object.entries(scopes).map(([scope, words]) => `- \`${scope}\`: ${words}`),
].join('\n')

/** The OpenAPI 3.0.3 document of these operations; every schema with a title becomes a component. */
export function openapiDocument(operations: readonly Operation[], publicUrl: string): Json {
  const components: Json = {}
  const reference = componentWriter(components)
  const paths: Record<string, Json> = {}

  for (const operation of operations) {
    paths[operation.path] ??= {}
    const item = paths[operation.path] as Json
    item[operation.method.toLowerCase()] = describe(operation, operation.id, reference)
    if (operation.alsoMethod) {
      item[operation.alsoMethod.toLowerCase()] = describe(
        operation,
        `${operation.id}By${operation.alsoMethod}`,
        reference,
      )
    }
  }
  const used = new Set<string>(operations.map(({ tag }) => tag))

  return {
    openapi: '3.0.3',
    info: {
      title: 'Partita',
      version: '2.23.0',
      description:
        'Music scores over HTTP: scores, their revisions and exports, collections. ' +
        'Bodies are JSON; lists are bare arrays, and the neighbouring pages are named in the `Link` header. ' +
        'An operation takes a token with any one of its scopes. JSON that is read has an `ETag`: with `If-None-Match` it is ' +
        'answered 304 where it is the same, which costs a third of a request. A POST with an `Idempotency-Key` is carried ' +
        'out once, and answered the same again for a day; one whose answer holds a secret ignores it.',
      license: { name: 'AGPL-3.0-or-later', url: 'https://www.gnu.org/licenses/agpl-3.0.html' },
    },
    servers: [{ url: `${publicUrl}/v2` }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components,
      responses: {
        Error: {
          description: 'It could not be done: `code` says why, `message` says it in words.',
          headers: rateLimitHeaders,
          content: { 'application/json': { schema: reference(FlatErrorResponse) } },
        },
      },
      securitySchemes: {
        // No flow until there are pages to sign in on: a document that names their addresses would send apps to a 404.
        OAuth2: { type: 'oauth2', description: scopesInWords, flows: {} },
        PersonalToken: { type: 'http', scheme: 'bearer', description: 'A token from `partita token create`.' },
      },
    },
  }
}

type Reference = (schema: TSchema) => Json

function describe(operation: Operation, operationId: string, reference: Reference): Json {
  const error = { $ref: '#/components/responses/Error' }
  const parameters = [...parametersOf(operation, 'path', reference), ...parametersOf(operation, 'query', reference)]
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
        content: { 'application/json': { schema: reference(operation.body) } },
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
          describeResponse(response, reference),
        ]),
      ),
      ...Object.fromEntries((operation.errors ?? []).map((status) => [status, error])),
      default: error,
    },
    security: [{ OAuth2: operation.scopes }, { PersonalToken: [] }, ...(operation.anonymous ? [{}] : [])],
  }
}

function parametersOf(operation: Operation, where: 'path' | 'query', reference: Reference): Json[] {
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
  }))
}

function describeResponse(response: Responses[number], reference: Reference): Json {
  if (response === Empty) return { description: 'Done.', headers: rateLimitHeaders }
  const { body, files = [], headers = {} } = describedResponse(response)
  return {
    description: 'Done.',
    headers: {
      ...rateLimitHeaders,
      ...Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, { schema: reference(schema) }])),
    },
    content: Object.fromEntries([
      ...files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      ...(body ? [['application/json', { schema: reference(body) }]] : []),
    ]),
  }
}

/** Turns a schema into its form in the document: a component where it has a title, else itself with its insides turned. */
function componentWriter(components: Json): Reference {
  const turn = (value: unknown, component: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((item) => turn(item, component))
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = value as Json
    if (rest.$ref === '#') return { $ref: `#/components/schemas/${component}` }
    if (typeof title !== 'string') return inside(rest, component)
    if (!(title in components)) {
      components[title] = undefined // keeps the order in which components are met
      components[title] = inside(rest, title)
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  const inside = (schema: Json, component: string | undefined): Json =>
    Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        // The names of properties are not keywords: one of them may be called title.
        key === 'properties'
          ? Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [name, turn(inner, component)]))
          : key === 'enum' || key === 'default' || key === 'required'
            ? value
            : turn(value, component),
      ]),
    )
  return (schema) => turn(schema, undefined) as Json
}
