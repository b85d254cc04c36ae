import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RequestPayload,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { deprecation } from '../contract/deprecation.ts'
import { withoutMethods } from '../contract/published.ts'
import { fail } from '../errors.ts'
import type { Viewer } from '../actor.ts'
import { Answer, File } from '../answer.ts'
import type { Context } from '../context.ts'
import { describedResponse, Empty, type Operation } from '../operation.ts'
import { type Authenticator, authorize, type Credentials, countedAccountOf } from './admission.ts'
import { fileTag, isUnchanged, jsonTag } from './conditional.ts'
import { allowAnyOrigin, setCorsHeaders } from './cors.ts'
import { documentation } from './documentation.ts'
import { type BatchedWrites, batchedWrites } from './batched-writes.ts'
import { errorBytes, sendError } from './errors.ts'
import { fileContent, isSentCompressed } from './files.ts'
import { health } from './health.ts'
import { bodyTurns } from './body-turns.ts'
import { type BodyMemoryBudget, bodyMemoryBudget } from './body-memory-budget.ts'
import { isOfBytes, secretFieldsOf } from '../contract/schema.ts'
import { idempotencyKeyOf, executeOnce, storedContent } from './idempotency.ts'
import { linkedFiles } from './linked-files.ts'
import { logRequests } from './log.ts'
import { measureRequests } from './measure-requests.ts'
import { linkHeader } from './paging.ts'
import { type RateLimit, rateLimit } from './rate-limit.ts'
import { callerOf, disconnectSignal, requestFacts } from './request-facts.ts'
import { closeSlowBodies, maxBytesToDrain } from './slow-bodies.ts'
import { watchUnusedConnections } from './stop-server.ts'
import { refuseUnrouted } from './unrouted.ts'
import { type ConcurrencyLimiter, concurrencyLimiter } from '../lib/concurrency-limiter.ts'
import { routerPath } from '../lib/path-template.ts'
import {
  parseBytes,
  parseEmptyForms,
  parseJsonBodies,
  rejectUnstorableText,
  useContractSchemas,
} from './validation.ts'

const defaultBodyLimit = 1024 * 1024
/**
 * The writes of one caller that are handled at the same time. Transactions run in the order of their arrival, so the writes of others
 * wait for at most these. They are as many as half of a group of transactions, which share one sync to the disk.
 */
const writesPerCaller = 32
const writeLimits = {
  slots: Number.POSITIVE_INFINITY,
  slotsPerCaller: writesPerCaller,
  maxWaiting: 5000,
  maxWaitingPerCaller: 1000,
}
const maxHeaderSize = 16_384

/** Adds routes to the server beside the operations: pages, the OAuth2 endpoints, the browser app. */
export type Mount = (server: FastifyInstance, ctx: Context) => void | Promise<void>

/**
 * The parts that the transport gets from its caller, because it imports neither authentication nor features.
 */
export interface ServerParts {
  readonly authenticate: Authenticator
  readonly mounts: readonly Mount[]
}

/**
 * Creates the HTTP server with all operations below /v2 and /internal, and the pages. It does not listen yet.
 */
export async function createServer(
  ctx: Context,
  operations: readonly Operation[],
  { authenticate, mounts }: ServerParts,
): Promise<FastifyInstance> {
  const limits = rateLimit(ctx.config)
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
    // The Host header is not needed, because addresses in answers begin with PUBLIC_URL.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 500,
      maxHeaderSize,
      requireHostHeader: false,
    },
    rewriteUrl: originForm,
    // A parameter that is too long is not an error of its own: no object has such an id.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply)
      const counted = isOfInterface(request.url) ? admit(request, reply) : Promise.resolve()
      counted.then(
        () => sendError(error, request, reply),
        (refusal) => sendError(refusal, request, reply),
      )
    },
    // Requests that were accepted before the server stops are served. stopServer handles the rest.
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
  parseBytes(server)
  closeSlowBodies(server)
  watchUnusedConnections(server)
  logRequests(server)
  measureRequests(server, ctx.metrics)
  server.setErrorHandler(sendError)
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    // Answers about an account are not stored, in particular not for the next user of the browser.
    if (isInternal(request.url)) reply.header('Cache-Control', 'no-store')
    // A shared cache must not store what one user may see: it does not know that the cookie of a session decides.
    else if (isOfInterface(request.url)) reply.raw.setHeader('Cache-Control', 'private, no-cache')
    if (request.method !== 'OPTIONS' || !isOfInterface(request.url)) return done()
    limits.show(reply, undefined, request.ip).then(() => done(), done)
  })
  allowAnyOrigin(server)

  const refuse = refuseUnrouted([
    ...operations.flatMap(methodsOf),
    ...withoutMethods.map((path) => ({ method: 'OPTIONS', path: `/v2${path}` })),
    { method: 'GET', path: '/v2/openapi.json' },
    { method: 'GET', path: '/internal/openapi.json' },
  ])
  // This runs before the body is parsed, because the media type does not matter at an unknown address.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const counted = isOfInterface(request.url) ? admit(request, reply) : Promise.resolve()
    counted.then(() => refuse(request, reply)).then(done, done)
  })
  const nextWriteBatch = batchedWrites()
  const writes = concurrencyLimiter(writeLimits)
  const bodies = bodyMemoryBudget(ctx.config.bodyMemory * 1024 * 1024, bodyTurns())
  for (const operation of operations)
    route(server, ctx, operation, { authenticate, admit, limits, bodies, writes, nextWriteBatch })
  // For routes that find nothing themselves, such as the files of the viewer.
  server.setNotFoundHandler(() => fail('NOT_FOUND'))
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1). Node would answer without our error body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )

  health(server, ctx)
  linkedFiles(server, ctx)
  for (const mount of mounts) await mount(server, ctx)
  await documentation(server, ctx.config, operations, admit)
  return server
}

/** Removes scheme and host from the target of a request, which may contain them (RFC 9112, section 3.2.2). */
function originForm({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

const isInternal = (url: string): boolean => /^\/internal(?:[/?]|$)/.test(url)
const isOfInterface = (url: string): boolean => /^\/(v2|internal)(?:[/?]|$)/.test(url)

/**
 * Returns a function that sets the headers of every response. If the server is reached by TLS, browsers must
 * keep using it.
 */
function commonHeaders({ publicUrl }: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const byTls = publicUrl.startsWith('https:')
  return (request, reply) => {
    reply.raw.setHeader('X-Request-Id', request.id)
    reply.raw.setHeader('X-Content-Type-Options', 'nosniff')
    if (byTls) reply.raw.setHeader('Strict-Transport-Security', 'max-age=31536000')
    setCorsHeaders(reply)
  }
}

/**
 * Authenticates a request, checks the declared size of its body and counts it. Every request below /v2 and
 * /internal passes it first.
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply, bodyLimit?: number) => Promise<Credentials>

function gate(authenticate: Authenticator, limits: RateLimit): Admit {
  return async (request, reply, bodyLimit = defaultBodyLimit) => {
    const { headers, ip } = request
    const result = authenticate(request)
    // If authentication fails with an error, the response shows the quota of the address.
    const credentials =
      result instanceof Promise
        ? await result.catch(async (error) => {
            await limits.show(reply, undefined, ip)
            throw error
          })
        : result
    const account = countedAccountOf(credentials.kind === 'accepted' ? credentials.actor : undefined)
    const length = headers['content-length']
    if (length !== undefined && Number(length) > bodyLimit) {
      await limits.show(reply, account, ip)
      // The client then knows that it need not send the rest.
      if (Number(length) > maxBytesToDrain) reply.header('Connection', 'close')
      fail('PAYLOAD_TOO_LARGE', {
        message: `The body has ${length} bytes; this operation accepts at most ${bodyLimit}.`,
      })
    }
    await limits.count(reply, account, ip)
    return credentials
  }
}

const methodsOf = ({ mount, path, method, alsoMethod }: Operation) =>
  [method, alsoMethod ?? method].map((method) => ({ path: mount + path, method }))

const viewerKey = Symbol('viewer')
type ViewerRequest = FastifyRequest & { [viewerKey]: Viewer }

/** The shared parts of the pipeline of all operations. */
interface Pipeline {
  authenticate: Authenticator
  admit: Admit
  limits: RateLimit
  bodies: BodyMemoryBudget
  writes: ConcurrencyLimiter
  nextWriteBatch: BatchedWrites
}

function route(
  server: FastifyInstance,
  ctx: Context,
  operation: Operation,
  { authenticate, admit, limits, bodies, writes, nextWriteBatch }: Pipeline,
): void {
  const { method, alsoMethod, mount, path, params, query, body, responses, bodyLimit } = operation
  const emptyStatus = Number(
    Object.keys(responses).find((status) => responses[Number(status)] === Empty) ?? 0,
  )
  const schemas = Object.entries(responses).flatMap(([status, response]) => {
    const { body } = describedResponse(response)
    return body ? [[status, body]] : []
  })
  const secretFields = secretFieldsOf(body)
  const takesBytes = isOfBytes(body)
  function viewerOf(credentials: Credentials, reply: FastifyReply): Viewer {
    const viewer = authorize(operation, credentials, reply)
    if (viewer) operation.checkRole?.(viewer)
    return viewer
  }
  const waiterOf = (request: FastifyRequest, reply: FastifyReply) => ({
    caller: callerOf((request as ViewerRequest)[viewerKey], request.ip),
    signal: disconnectSignal(reply),
  })
  const receiveBody = (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) => {
    const caller = callerOf((request as ViewerRequest)[viewerKey], request.ip)
    return bodies.receive({ request, reply, payload, caller, limit: bodyLimit })
  }
  const admitAgain = async (request: FastifyRequest, reply: FastifyReply) =>
    viewerOf(await authenticate(request), reply)
  async function handle(request: FastifyRequest, reply: FastifyReply) {
    // A body may take minutes to arrive. The credentials may have been revoked meanwhile.
    if (operation.body) (request as ViewerRequest)[viewerKey] = await admitAgain(request, reply)
    const actor = (request as ViewerRequest)[viewerKey]
    const facts = requestFacts(request, reply, actor, admitAgain)
    const { params, query, body } = request
    const execute = (ctx: Context) => operation.handle({ ctx, actor, params, query, body, request: facts })
    const key = actor && !operation.returnsSecret ? idempotencyKeyOf(request) : undefined
    if (actor && key !== undefined) {
      const executeForStorage = async (ctx: Context) => answerOf(reply, await execute(ctx), emptyStatus)
      const { answer, isRepeated } = await executeOnce(
        ctx,
        actor,
        key,
        request,
        secretFields,
        executeForStorage,
      )
      return storedContent(reply, answer, isRepeated)
    }
    const result = await execute(ctx)
    await nextWriteBatch()
    return contentOf(ctx, limits, request, reply, result, emptyStatus)
  }
  server.route({
    method: alsoMethod ? [method, alsoMethod] : method,
    url: mount + routerPath(path),
    bodyLimit,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && !takesBytes && { body }),
      response: Object.fromEntries(schemas),
    },
    config: { method, operation: operation.id, emptyForm: operation.emptyForm, takesBytes },
    async onRequest(request, reply) {
      if (operation.deprecated) reply.header('Deprecation', deprecation)
      ;(request as ViewerRequest)[viewerKey] = viewerOf(await admit(request, reply, bodyLimit), reply)
    },
    ...(method !== 'GET' && { preParsing: receiveBody }),
    preValidation(request, _reply, done) {
      try {
        if (body && request.body === undefined) {
          if (operation.bodyRequired ?? true) {
            const message = takesBytes ? 'The body is missing.' : 'A JSON body is missing.'
            fail('INVALID_PARAMETER', { param: 'body', message })
          }
          request.body = {}
        }
        if (takesBytes && !Buffer.isBuffer(request.body)) fail('UNSUPPORTED_MEDIA_TYPE')
        rejectUnstorableText(request.params)
        rejectUnstorableText(request.query)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) =>
      method === 'GET'
        ? handle(request, reply)
        : bodies.during(request, () => writes.run(waiterOf(request, reply), () => handle(request, reply))),
  })
}

/** Returns the answer to a change in the form in which it can be stored. */
function answerOf(reply: FastifyReply, result: unknown, emptyStatus: number) {
  const { body, status = 200, headers = {} } = result instanceof Answer ? result : { body: result }
  if (body === undefined && emptyStatus) return { status: emptyStatus, headers, json: null }
  return { status, headers, json: reply.status(status).serialize(body) as string }
}

/** Sets the status and headers of a result. Returns the content for Fastify to send. */
async function contentOf(
  ctx: Context,
  limits: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  emptyStatus: number,
) {
  let body = result
  const extraHeaders: string[] = []
  if (result instanceof Answer) {
    body = result.body
    if (result.status !== undefined) reply.status(result.status)
    for (const [name, value] of Object.entries(result.headers)) reply.header(name, value)
    const link = linkHeader(ctx.config.publicUrl, request.url, result.cursors)
    if (link) reply.header('Link', link)
    extraHeaders.push(...Object.values(result.headers), ...(link ? [link] : []))
  }
  if (body === undefined && emptyStatus) {
    reply.status(emptyStatus)
    return undefined
  }
  const isRead = (request.method === 'GET' || request.method === 'HEAD') && reply.statusCode === 200
  if (body instanceof File) {
    const tag = isRead ? fileTag(body) : undefined
    const isEncoded = isSentCompressed(request, body.mediaType)
    if (!tag || !isUnchanged(request, reply, tag, [...extraHeaders, body.name ?? ''], isEncoded))
      return fileContent(request, reply, body)
    if ('stream' in body.body) body.body.stream.destroy()
  } else {
    if (!isRead) return body
    const json = reply.serialize(body) as string | Buffer
    if (!isUnchanged(request, reply, jsonTag(json), extraHeaders)) {
      reply.type('application/json; charset=utf-8')
      return json
    }
  }
  await limits.refund(reply, countedAccountOf((request as ViewerRequest)[viewerKey]), request.ip)
  reply.status(304)
  return undefined
}
