import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { deprecation } from '../contract/deprecation.ts'
import { withoutMethods } from '../contract/published.ts'
import { fail } from '../errors.ts'
import {
  Answer,
  type Context,
  describedResponse,
  Empty,
  File,
  type Operation,
  type RequestFacts,
  type Viewer,
} from '../operation.ts'
import { browserApp } from '../account/browser-app.ts'
import { accountData } from '../account/data.ts'
import { authorizationServer } from '../oauth/authorization-server.ts'
import { type Authenticator, authenticator, authorize, type Credentials } from './actor.ts'
import { isUnchanged } from './conditional.ts'
import { allowAnyOrigin, setCorsHeaders } from './cors.ts'
import { documentation } from './documentation.ts'
import { type EndOfTurn, endsOfTurns } from './end-of-turn.ts'
import { errorBytes, sendError } from './errors.ts'
import { sendFile } from './files.ts'
import { health } from './health.ts'
import { type HeldBodies, heldBodies } from './held-bodies.ts'
import { idempotencyKeyOf, once, sendKept } from './idempotency.ts'
import { linkedFiles } from './linked-files.ts'
import { localeOf } from './locale.ts'
import { logRequests } from './log.ts'
import { linkHeader } from './paging.ts'
import { type RateLimit, rateLimit } from './rate-limit.ts'
import { scorePages } from './score-pages.ts'
import { signInPages } from './sign-in-pages.ts'
import { closeSlowBodies } from './slow-bodies.ts'
import { refuseUnrouted } from './unrouted.ts'
import { parseEmptyForms, parseJsonBodies, refuseUnkeepable, useContractSchemas } from './validation.ts'

const defaultBodyLimit = 1024 * 1024
const maxHeaderSize = 16_384
/** Bytes of a body that is refused before it comes, and comes all the same. */
const mostInVain = 256 * 1024 * 1024

/** The HTTP server with every operation under /v2 and the few pages beside it; not listening yet. */
export async function createServer(ctx: Context, operations: readonly Operation[]): Promise<FastifyInstance> {
  const limits = rateLimit(ctx.config)
  const authenticate = authenticator(ctx)
  const admit = gate(authenticate, limits)
  const setCommonHeaders = commonHeaders(ctx.config)
  const server = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ctx.newId(),
    trustProxy: ctx.config.trustProxy ?? false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: 300_000,
    // Whose name a request gives us does not matter: addresses that we give out begin with PUBLIC_URL.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 500, maxHeaderSize, requireHostHeader: false },
    rewriteUrl: originForm,
    // What is too long for an id is simply none of ours.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply)
      const counted = isOfInterface(request.url) ? admit(request, reply) : Promise.resolve()
      counted.then(
        () => sendError(error, request, reply),
        (refusal) => sendError(refusal, request, reply),
      )
    },
    // Who got in before the server stops is served; stopServer sees to the rest.
    return503OnClosing: false,
    clientErrorHandler(error, socket) {
      if (socket.destroyed) return
      const code =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? 'HEADERS_TOO_LARGE'
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? 'REQUEST_TIMEOUT'
            : 'BAD_REQUEST'
      socket.end(errorBytes(code))
    },
  })

  useContractSchemas(server)
  parseJsonBodies(server)
  parseEmptyForms(server)
  closeSlowBodies(server)
  logRequests(server)
  server.setErrorHandler(sendError)
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    if (request.method !== 'OPTIONS' || !isOfInterface(request.url)) return done()
    limits.show(reply, undefined, request.ip).then(() => done(), done)
  })
  allowAnyOrigin(server)

  const refuse = refuseUnrouted([
    ...operations.flatMap(methodsOf),
    ...withoutMethods.map((path) => ({ method: 'OPTIONS', path })),
    { method: 'GET', path: '/openapi.json' },
  ])
  // Before the body is looked at: where nothing is, its media type does not matter.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const counted = isOfInterface(request.url) ? admit(request, reply) : Promise.resolve()
    counted.then(() => refuse(request, reply)).then(done, done)
  })
  const endOfTurn = endsOfTurns()
  const bodies = heldBodies(ctx.config.bodyMemory * 1024 * 1024)
  for (const operation of operations) route(server, ctx, operation, { authenticate, admit, limits, bodies, endOfTurn })
  // For what is not found behind a route of its own: files of the viewer.
  server.setNotFoundHandler(() => fail('NOT_FOUND'))
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node would answer without our error body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))

  health(server, ctx)
  linkedFiles(server, ctx)
  scorePages(server)
  signInPages(server, ctx)
  authorizationServer(server, ctx)
  accountData(server, ctx, limits)
  await browserApp(server, ctx)
  await documentation(server, ctx.config, operations, admit)
  return server
}

/** The address of a request without the scheme and host that it may bear as well (RFC 9112, section 3.2.2). */
function originForm({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

const isOfInterface = (url: string) => url === '/v2' || url.startsWith('/v2/') || url.startsWith('/v2?')

/** What every response has, whatever becomes of the request. Where people reach us by TLS, browsers are to stay with it. */
function commonHeaders({ publicUrl }: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const byTls = publicUrl.startsWith('https:')
  return (request, reply) => {
    reply.raw.setHeader('X-Request-Id', request.id)
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
    if (byTls) reply.raw.setHeader('Strict-Transport-Security', 'max-age=31536000')
    setCorsHeaders(reply)
  }
}

/** Body size, then rate limit: what every request under /v2 passes first. Says whose request it is. */
export type Gate = (request: FastifyRequest, reply: FastifyReply, bodyLimit?: number) => Promise<Credentials>

function gate(authenticate: Authenticator, limits: RateLimit): Gate {
  return async (request, reply, bodyLimit = defaultBodyLimit) => {
    const { headers, ip } = request
    const asked = authenticate(request)
    // Where it cannot be found out whose request it is, the answer says what the address has left.
    const credentials =
      asked instanceof Promise
        ? await asked.catch(async (error) => {
            await limits.show(reply, undefined, ip)
            throw error
          })
        : asked
    const account = credentials.kind === 'accepted' ? credentials.actor.id : undefined
    const length = headers['content-length']
    if (length !== undefined && Number(length) > bodyLimit) {
      await limits.show(reply, account, ip)
      // Who is cut off while sending does not get to read why; a body that would take for ever is not waited for.
      if (Number(length) > mostInVain) reply.header('Connection', 'close')
      fail('PAYLOAD_TOO_LARGE', { message: `The body has ${length} bytes; this operation takes ${bodyLimit}.` })
    }
    await limits.count(reply, account, ip)
    return credentials
  }
}

const methodsOf = ({ path, method, alsoMethod }: Operation) =>
  [method, alsoMethod ?? method].map((method) => ({ path, method }))

const viewerKey = Symbol('viewer')
type Requested = FastifyRequest & { [viewerKey]: Viewer }

/** What every request to an operation goes through. */
interface Passage {
  authenticate: Authenticator
  admit: Gate
  limits: RateLimit
  bodies: HeldBodies
  endOfTurn: EndOfTurn
}

function route(
  server: FastifyInstance,
  ctx: Context,
  operation: Operation,
  { authenticate, admit, limits, bodies, endOfTurn }: Passage,
): void {
  const { method, alsoMethod, path, params, query, body, responses, bodyLimit } = operation
  const emptyStatus = Number(Object.keys(responses).find((status) => responses[Number(status)] === Empty) ?? 0)
  const schemas = Object.entries(responses).flatMap(([status, response]) => {
    const { body } = describedResponse(response)
    return body ? [[status, body]] : []
  })
  function viewerOf(credentials: Credentials, reply: FastifyReply): Viewer {
    const viewer = authorize(operation, credentials, reply)
    if (viewer) operation.checkRole?.(viewer)
    return viewer
  }
  server.route({
    method: alsoMethod ? [method, alsoMethod] : method,
    url: `/v2${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: bodyLimit ?? defaultBodyLimit,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: Object.fromEntries(schemas),
    },
    config: { method, emptyForm: operation.emptyForm },
    async onRequest(request, reply) {
      if (operation.deprecated) reply.header('Deprecation', deprecation)
      ;(request as Requested)[viewerKey] = viewerOf(await admit(request, reply, bodyLimit), reply)
      bodies.take(request, reply, bodyLimit ?? defaultBodyLimit)
    },
    preValidation(request, _reply, done) {
      try {
        if (body && request.body === undefined) {
          if (operation.bodyRequired ?? true) {
            fail('INVALID_PARAMETER', { param: 'body', message: 'A JSON body is missing.' })
          }
          request.body = {}
        }
        refuseUnkeepable(request.params)
        refuseUnkeepable(request.query)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    async handler(request, reply) {
      // A body may be minutes on its way: whoever began it may have been removed, or be somebody else by now.
      if (operation.body) (request as Requested)[viewerKey] = viewerOf(await authenticate(request), reply)
      const actor = (request as Requested)[viewerKey]
      const facts: RequestFacts = {
        id: request.id,
        address: request.ip,
        locale: () => localeOf(request.headers, actor?.locale),
      }
      const { params, query, body } = request
      const carryOut = (ctx: Context) =>
        bodies.during(request, () => operation.handle({ ctx, actor, params, query, body, request: facts }))
      const key = actor && !operation.answersSecrets ? idempotencyKeyOf(request) : undefined
      if (actor && key !== undefined) {
        const keepable = async (ctx: Context) => answerOf(reply, await carryOut(ctx), emptyStatus)
        const { answer, isRepeated } = await once(ctx, actor, key, request, keepable)
        return sendKept(reply, answer, isRepeated)
      }
      const result = await carryOut(ctx)
      await endOfTurn()
      return send(ctx, limits, request, reply, result, emptyStatus)
    },
  })
}

/** The answer to a change as it can be kept. */
function answerOf(reply: FastifyReply, result: unknown, emptyStatus: number) {
  const { body, status = 200, headers = {} } = result instanceof Answer ? result : { body: result }
  if (body === undefined && emptyStatus) return { status: emptyStatus, headers, json: null }
  // By the schema of this status.
  return { status, headers, json: reply.status(status).serialize(body) as string }
}

async function send(
  ctx: Context,
  limits: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  emptyStatus: number,
) {
  let body = result
  const told: string[] = []
  if (result instanceof Answer) {
    body = result.body
    if (result.status !== undefined) reply.status(result.status)
    for (const [name, value] of Object.entries(result.headers)) reply.header(name, value)
    const link = linkHeader(ctx.config.publicUrl, request.url, result.cursors)
    if (link) reply.header('Link', link)
    told.push(...Object.values(result.headers), ...(link ? [link] : []))
  }
  if (body instanceof File) return sendFile(reply, body)
  if (body === undefined && emptyStatus) return reply.status(emptyStatus).send()
  if ((request.method !== 'GET' && request.method !== 'HEAD') || reply.statusCode !== 200) return reply.send(body)
  const json = reply.serialize(body) as string | Buffer
  if (!isUnchanged(request, reply, json, told)) {
    return reply.type('application/json; charset=utf-8').send(json)
  }
  await limits.refund(reply, (request as Requested)[viewerKey]?.id, request.ip)
  return reply.status(304).send()
}
