import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../actor.ts'
import { Failure } from '../errors.ts'
import type { OpenRequest, RequestFacts } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'
import { localeOf } from './locale.ts'
import { networkOf } from './network.ts'

/** Returns the key of a caller whose load is counted: the account, or the network of an anonymous client. */
export const callerOf = (viewer: Viewer, address: string): string => viewer?.id ?? networkOf(address)

/** Returns what an operation may need to know of a request beyond its parameters. */
export const requestFacts = (
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  admitAgain: AdmitAgain,
): RequestFacts => new FactsOfRequest(request, reply, viewer, admitAgain)

/** Authenticates a request again. Throws if it is no longer admitted. */
type AdmitAgain = (request: FastifyRequest, reply: FastifyReply) => Promise<Viewer>

/** A class, because V8 makes a new hidden class in old space for each object literal with a getter. */
class FactsOfRequest implements RequestFacts {
  readonly id: string
  readonly caller: string
  readonly ifMatch: string | undefined
  readonly locale: () => string
  readonly textLanguage: () => string
  readonly #reply: FastifyReply
  readonly #request: FastifyRequest
  readonly #admitAgain: AdmitAgain
  #signal: AbortSignal | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, viewer: Viewer, admitAgain: AdmitAgain) {
    const { id, ip, headers } = request
    this.id = id
    this.caller = callerOf(viewer, ip)
    this.ifMatch = headers['if-match']?.replace(/^"(.*)"$/, '$1')
    this.locale = () => localeOf(headers, viewer?.locale)
    this.textLanguage = () => textsFor(headers).language
    this.#reply = reply
    this.#request = request
    this.#admitAgain = admitAgain
    this.#signal = undefined
  }

  get signal(): AbortSignal {
    this.#signal ??= disconnectSignal(this.#reply)
    return this.#signal
  }

  stayOpen(): OpenRequest {
    const lastEventId = this.#request.headers['last-event-id']
    return {
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
      viewerNow: () => this.#admitAgain(this.#request, this.#reply),
      onClose: (callback) => void this.#reply.raw.once('close', callback),
    }
  }
}

/** Returns a signal that is aborted when the connection closes before the response was sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) controller.abort(new Failure('CLIENT_DISCONNECTED'))
  }
  if (raw.closed) abort()
  else raw.once('close', abort)
  return controller.signal
}
