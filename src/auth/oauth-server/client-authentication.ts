import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type App, findApp } from './apps/store.ts'
import { type AttemptLimit, countAttempt, limitedUntil } from '../throttling/attempt-limits.store.ts'
import { networkOf } from '../../http/network.ts'
import { isId } from '../../lib/ids.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { OAuthError, optional } from './oauth-error.ts'

/**
 * Authenticates an app (RFC 6749, sections 2.3.1 and 3.2.1): by HTTP Basic or by `client_id` and
 * `client_secret` in the form; a public app by its `client_id` alone. Wrong secrets are limited per app and
 * per network. A correct secret is always accepted, because its 238 random bits cannot be guessed, and others
 * in the same network must not block an app.
 * @throws invalid_client; temporarily_unavailable after too many wrong secrets
 */
export async function authenticateApp(
  ctx: Context,
  request: FastifyRequest,
  form: URLSearchParams,
): Promise<App> {
  const { id, secret } = credentialsOf(request.headers.authorization, form)
  const network = networkOf(request.ip)
  const limits: AttemptLimit[] = [
    { key: ['app', id, network], max: 10 },
    { key: ['app', network], max: 300 },
  ]
  const app = isId(id) ? await findApp(ctx.db.read, id) : undefined
  if (app && isProven(app, secret)) return app
  const refusal = new OAuthError('invalid_client', 'No app has this client_id and client_secret')
  // A public app has no secret to guess, so the attempt is not counted.
  if (app?.secret_hash === null) throw refusal
  if (await limitedUntil(ctx, ctx.db.read, limits)) {
    throw new OAuthError(
      'temporarily_unavailable',
      'Too many wrong secrets from this address. Try again later',
    )
  }
  await ctx.transaction((tx) => countAttempt(ctx, tx, limits))
  throw refusal
}

function isProven(app: App, secret: string | undefined): boolean {
  if (app.secret_hash === null || secret === undefined)
    return app.secret_hash === null && secret === undefined
  return timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(app.secret_hash))
}

function credentialsOf(
  authorization: string | undefined,
  form: URLSearchParams,
): { id: string; secret?: string } {
  const id = optional(form, 'client_id')
  const secret = optional(form, 'client_secret')
  if (authorization === undefined) {
    if (id === undefined) throw new OAuthError('invalid_client', 'client_id is missing')
    return { id, ...(secret !== undefined && { secret }) }
  }
  const basic = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1]
  const [name, password] = basic
    ? Buffer.from(basic, 'base64').toString().split(/:(.*)/s).map(decodeFormValue)
    : []
  if (!name || !password) throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic')
  if (secret !== undefined || (id !== undefined && id !== name)) {
    throw new OAuthError('invalid_request', 'Only one client authentication method may be used')
  }
  return { id: name, secret: password }
}

/** Decodes a form-encoded value in the Authorization header (RFC 6749, section 2.3.1). */
const decodeFormValue = (text: string) =>
  new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
