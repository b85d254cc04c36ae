import type { FastifyInstance } from 'fastify'

/** Logs one line for each request, without its secrets. */
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

/** Routes whose parameter is a secret. */
const secretRoutes: Readonly<Record<string, string>> = {
  '/files/*': '/files/[redacted]',
  '/auth/signin-link/:token': '/auth/signin-link/[redacted]',
  '/auth/password/:token': '/auth/password/[redacted]',
  '/auth/email/:id': '/auth/email/[redacted]',
  '/invitations/:code': '/invitations/[redacted]',
  '/auth/oidc/:name/callback': '/auth/oidc/[redacted]/callback',
}

/**
 * Removes sharing keys, tokens, invitation codes and signed links from an address, however they are escaped.
 */
function redactUrl(url: string, route = ''): string {
  const hidden = secretRoutes[route]
  if (hidden) return hidden
  const start = url.indexOf('?') + 1
  const query = start > 0 ? url.slice(start).split('&').map(redactPair).join('&') : ''
  const redacted = start > 0 ? url.slice(0, start) + query : url
  return redacted.includes(tokenPrefix)
    ? redacted.replaceAll(/(partita_[a-z]+_)\w+/g, '$1[redacted]')
    : redacted
}

const tokenPrefix = 'partita_'

function redactPair(pair: string): string {
  const end = pair.indexOf('=')
  const isSecret = decode(pair.slice(0, end)).toLowerCase() === 'sharingkey'
  // The page to return to after the sign-in.
  const leadsToSecret = /^\/(invitations|auth\/email)\//.test(decode(pair.slice(end + 1)))
  return isSecret || leadsToSecret ? `${pair.slice(0, end)}=[redacted]` : pair
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
