import type { FastifyInstance } from 'fastify'

/** One line a request, with what it cost and from where it came, and without its secrets. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request: request.id,
        method: request.method,
        url: redactUrl(request.url, request.routeOptions.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
    done()
  })
}

/** Takes sharing keys, tokens that do not belong there, and signed links out of an address, however they are escaped. */
function redactUrl(url: string, route: string | undefined): string {
  if (route === '/files/*') return '/files/[redacted]'
  const start = url.indexOf('?') + 1
  const query = start > 0 ? url.slice(start).split('&').map(redactPair).join('&') : ''
  const redacted = start > 0 ? url.slice(0, start) + query : url
  return redacted.includes(tokenPrefix) ? redacted.replaceAll(/(partita_pat_)\w+/g, '$1[redacted]') : redacted
}

const tokenPrefix = 'partita_pat_'

function redactPair(pair: string): string {
  const end = pair.indexOf('=')
  const isSecret = decoded(pair.slice(0, end)).toLowerCase() === 'sharingkey'
  return isSecret ? `${pair.slice(0, end)}=[redacted]` : pair
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
