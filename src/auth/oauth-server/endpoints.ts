import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { deleteAuthorization, findRefreshToken } from '../tokens/authorizations.store.ts'
import { deleteAccessTokenAlone, findAccessToken } from '../tokens/store.ts'
import type { App } from './apps/store.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { takeForms } from '../../http/forms.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { authenticateApp } from './client-authentication.ts'
import { redeemCode, refreshTokens, type TokenAnswer } from './issue.ts'
import { OAuthError, required, optional } from './oauth-error.ts'

type WithForm = { Body: URLSearchParams | undefined }

/** Registers the endpoints for apps: tokens, revocation (RFC 7009) and introspection (RFC 7662). */
export function tokenEndpoints(server: FastifyInstance, ctx: Context): void {
  server.register(async (scope) => {
    takeForms(scope)
    const { errorHandler: defaultErrorHandler } = server
    scope.setErrorHandler((error, request, reply) => {
      const refusal = oauthErrorIn(error)
      if (!refusal) return defaultErrorHandler.call(scope, error as never, request, reply)
      const { code, message } = refusal
      const status = code === 'invalid_client' ? 401 : code === 'temporarily_unavailable' ? 429 : 400
      if (status === 401 && request.headers.authorization !== undefined)
        reply.header('WWW-Authenticate', 'Basic realm="Partita"')
      reply.status(status)
      return { error: code, error_description: message }
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Cache-Control', 'no-store')
    })

    scope.post<WithForm>('/oauth/access_token', async (request) => {
      const form = formOf(request)
      const app = await authenticateApp(ctx, request, form)
      return grant(ctx, app, form)
    })

    scope.post<WithForm>('/oauth/invalidate_token', async (request) => {
      const form = formOf(request)
      const app = await authenticateApp(ctx, request, form)
      await revoke(ctx, app, required(form, 'token'))
    })

    scope.post<WithForm>('/oauth/introspect', async (request) => {
      const form = formOf(request)
      const app = await authenticateApp(ctx, request, form)
      if (app.secret_hash === null)
        throw new OAuthError('invalid_client', 'Introspection is available to apps with a secret only')
      return introspect(ctx, app, required(form, 'token'))
    })
  })
}

/** Returns the form. Parameters in the query are refused, because URLs are written to logs. */
function formOf({ body = new URLSearchParams() }: FastifyRequest<WithForm>): URLSearchParams {
  return body
}

async function grant(ctx: Context, app: App, form: URLSearchParams): Promise<TokenAnswer> {
  switch (required(form, 'grant_type')) {
    case 'authorization_code':
      return redeemCode(ctx, app, {
        code: required(form, 'code'),
        redirectUri: optional(form, 'redirect_uri'),
        verifier: optional(form, 'code_verifier'),
      })
    case 'refresh_token':
      return refreshTokens(ctx, app, {
        token: required(form, 'refresh_token'),
        scope: optional(form, 'scope'),
      })
    default:
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type is neither authorization_code nor refresh_token',
      )
  }
}

/**
 * Revokes an access token, or the whole family of a refresh token. An unknown token and a token of another
 * app are ignored.
 */
async function revoke(ctx: Context, app: App, token: string): Promise<void> {
  const hash = hashToken(token)
  await ctx.transaction(async (tx) => {
    const refresh = await findRefreshToken(tx, hash)
    if (refresh?.app_id === app.id) {
      await deleteAuthorization(tx, refresh.authorization_id)
      deleteCachedActors(ctx, tx, [refresh.user_id])
      const organization = { of: refresh.user_id }
      const details = { of: refresh.user_id, by: 'app' }
      await audit(tx, ctx, {
        organization,
        actor: null,
        action: 'app.authorization-revoked',
        subject: app.id,
        details,
      })
    }
    const access = await findAccessToken(tx, { hash, now: ctx.clock.now() })
    if (access?.app_id === app.id) {
      await deleteAccessTokenAlone(tx, access.id)
      deleteCachedActors(ctx, tx, [access.user_id])
    }
  })
}

/** Introspects a token of the app itself. Other tokens are reported as inactive. */
async function introspect(ctx: Context, app: App, token: string): Promise<object> {
  const hash = hashToken(token)
  const now = ctx.clock.now()
  const metadata = { client_id: app.id, iss: ctx.config.publicUrl }
  const access = await findAccessToken(ctx.db.read, { hash, now })
  if (access?.app_id === app.id) {
    return {
      active: true,
      ...metadata,
      token_type: 'bearer',
      sub: access.user_id,
      scope: (JSON.parse(access.scopes) as string[]).join(' '),
      iat: inSeconds(access.created_at),
      ...(access.expires_at !== null && { exp: inSeconds(access.expires_at) }),
    }
  }
  const refresh = await findRefreshToken(ctx.db.read, hash)
  if (
    refresh?.app_id === app.id &&
    refresh.used_at === null &&
    Math.min(refresh.expires_at, refresh.ends_at) > now
  ) {
    return {
      active: true,
      ...metadata,
      sub: refresh.user_id,
      scope: (JSON.parse(refresh.scopes) as string[]).join(' '),
      exp: inSeconds(Math.min(refresh.expires_at, refresh.ends_at)),
    }
  }
  return { active: false }
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

function oauthErrorIn(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new OAuthError('invalid_request', 'The body is not application/x-www-form-urlencoded')
  return undefined
}
