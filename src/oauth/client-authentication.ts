import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type App, findApp } from '../features/apps/store.ts'
import { type Allowance, countAttempt, usedUpUntil } from '../features/sessions/attempts.ts'
import { networkOf } from '../http/network.ts'
import { isId } from '../lib/ids.ts'
import { hashToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import { OAuthError, single } from './oauth-error.ts'

/**
 * Which app it is (RFC 6749, sections 2.3.1 and 3.2.1): by HTTP Basic or by `client_id` and `client_secret` in the form;
 * a public one by its `client_id` alone. Wrong secrets are counted, for the app and for the address; who has the right one is
 * never refused for the guesses of others in the same school, because 238 random bits are not guessed.
 * @throws invalid_client; temporarily_unavailable after too many wrong secrets
 */
export async function authenticateApp(ctx: Context, request: FastifyRequest, form: URLSearchParams): Promise<App> {
  const { id, secret } = credentialsOf(request.headers.authorization, form)
  const network = networkOf(request.ip)
  const allowances: Allowance[] = [
    { of: ['app', id, network], most: 10 },
    { of: ['app', network], most: 300 },
  ]
  const app = isId(id) ? await findApp(ctx.db.read, id) : undefined
  if (app && isProven(app, secret)) return app
  const refusal = new OAuthError('invalid_client', 'There is no app with this client_id and client_secret')
  // It has no secret that could be guessed.
  if (app?.secret_hash === null) throw refusal
  if (await usedUpUntil(ctx, ctx.db.read, allowances)) {
    throw new OAuthError('temporarily_unavailable', 'Too many wrong secrets from this address. Try again later')
  }
  await ctx.transaction((tx) => countAttempt(ctx, tx, allowances))
  throw refusal
}

function isProven(app: App, secret: string | undefined): boolean {
  if (app.secret_hash === null || secret === undefined) return app.secret_hash === null && secret === undefined
  return timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(app.secret_hash))
}

function credentialsOf(authorization: string | undefined, form: URLSearchParams): { id: string; secret?: string } {
  const id = single(form, 'client_id')
  const secret = single(form, 'client_secret')
  if (authorization === undefined) {
    if (id === undefined) throw new OAuthError('invalid_client', 'client_id is missing')
    return { id, ...(secret !== undefined && { secret }) }
  }
  const basic = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1]
  const [name, password] = basic ? Buffer.from(basic, 'base64').toString().split(/:(.*)/s).map(unescaped) : []
  if (!name || !password) throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic')
  if (secret !== undefined || (id !== undefined && id !== name)) {
    throw new OAuthError('invalid_request', 'The app says who it is in more than one way')
  }
  return { id: name, secret: password }
}

/** Both stand in the header as in a form (RFC 6749, section 2.3.1). */
const unescaped = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
