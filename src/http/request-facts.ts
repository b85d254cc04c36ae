import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../actor.ts'
import { Failure } from '../errors.ts'
import { once } from '../lib/once.ts'
import type { RequestFacts } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'
import { localeOf } from './locale.ts'
import { networkOf } from './network.ts'

/** Returns the key of a caller whose load is counted: the account, or the network of an anonymous client. */
export const callerOf = (viewer: Viewer, address: string): string => viewer?.id ?? networkOf(address)

/** Returns what an operation may need to know of a request beyond its parameters. */
export function requestFacts(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): RequestFacts {
  const { id, ip, headers } = request
  const disconnected = once(() => disconnectSignal(reply))
  return {
    id,
    address: ip,
    caller: callerOf(viewer, ip),
    get signal() {
      return disconnected()
    },
    locale: () => localeOf(headers, viewer?.locale),
    textLanguage: () => textsFor(headers).language,
  }
}

/** Returns a signal that is aborted when the connection closes before the response was sent. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) controller.abort(new Failure('CLIENT_DISCONNECTED'))
  }
  if (raw.closed) abort()
  else raw.once('close', abort)
  return controller.signal
}
