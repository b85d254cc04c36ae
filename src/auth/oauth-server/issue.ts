import { hash, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../contract/scopes.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  deleteAuthorization,
  extendAuthorization,
  findCode,
  findRefreshToken,
  insertAuthorization,
  insertCode,
  insertRefreshToken,
  markCodeUsed,
  markRefreshTokenUsed,
} from '../tokens/authorizations.store.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { insertAccessToken } from '../tokens/store.ts'
import { audit } from '../../features/people/audit/audit.ts'
import type { App } from './apps/store.ts'
import { checkIsSignedIn, type SessionUser } from '../sessions/session-user.ts'
import { dateTime } from '../../lib/date-time.ts'
import { hashToken, isToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import type { RequestingClient, AuthorizationRequest } from './authorization-request.ts'
import { OAuthError } from './oauth-error.ts'
import { scopesOf } from './scope-list.ts'
import { day, second } from '../../lib/durations.ts'

const codeMilliseconds = 60 * second
const accessMilliseconds = day
/** The lifetime of an unused refresh token in milliseconds (RFC 9700, section 4.14.2). */
const refreshMilliseconds = 180 * day

/** The response of the token endpoint. `issued_at` is an RFC 3339 date, `user` the id of the account. */
export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  scope: string
  refresh_token?: string
  issued_at: string
  user: string
}

type Granted = Pick<AuthorizationRequest, 'scopes' | 'isOffline' | 'codeChallenge'>

async function startAuthorization(
  ctx: Context,
  tx: Transaction,
  app: App,
  sessionUser: SessionUser,
  granted: Granted,
) {
  await checkIsSignedIn(ctx, tx, sessionUser.session)
  const id = ctx.newId()
  const now = ctx.clock.now()
  await insertAuthorization(tx, {
    id,
    app_id: app.id,
    user_id: sessionUser.user.id,
    scopes: JSON.stringify(granted.scopes),
    is_offline: granted.isOffline ? 1 : 0,
    created_at: now,
    expires_at: now + codeMilliseconds,
  })
  const { id: actor, organization_id: organization } = sessionUser.user
  const details = { scopes: granted.scopes, isOffline: granted.isOffline }
  await audit(tx, ctx, { organization, actor, action: 'app.authorized', subject: app.id, details })
  return id
}

/** Issues an authorization code that can be exchanged once within a minute. */
export async function issueCode(
  ctx: Context,
  client: RequestingClient,
  sessionUser: SessionUser,
  granted: Granted,
): Promise<string> {
  const code = newToken('code')
  await ctx.transaction(async (tx) => {
    const authorization = await startAuthorization(ctx, tx, client.app, sessionUser, granted)
    await insertCode(tx, {
      hash: hashToken(code),
      authorization_id: authorization,
      redirect_uri: client.namedRedirectUri ?? null,
      code_challenge: granted.codeChallenge ?? null,
      expires_at: ctx.clock.now() + codeMilliseconds,
      used_at: null,
    })
  })
  return code
}

/** Issues an access token directly for the implicit flow. */
export async function issueImplicit(
  ctx: Context,
  app: App,
  sessionUser: SessionUser,
  granted: Granted,
): Promise<TokenAnswer> {
  return ctx.transaction(async (tx) => {
    const authorization = await startAuthorization(ctx, tx, app, sessionUser, granted)
    const user = sessionUser.user.id
    return issueTokens(ctx, tx, app, { authorization, user, scopes: granted.scopes, isOffline: false })
  })
}

async function issueTokens(
  ctx: Context,
  tx: Transaction,
  app: App,
  grant: {
    authorization: string
    user: string
    scopes: readonly Scope[]
    isOffline: boolean
    /** The end of the authorization. */
    endsAt?: number
  },
): Promise<TokenAnswer> {
  const { authorization, user, scopes, isOffline, endsAt = Number.POSITIVE_INFINITY } = grant
  const now = ctx.clock.now()
  const endAfter = (milliseconds: number) => Math.min(now + milliseconds, endsAt)
  const token = newToken('access')
  await insertAccessToken(tx, {
    id: ctx.newId(),
    user_id: user,
    app_id: app.id,
    name: app.name,
    hash: hashToken(token),
    scopes: JSON.stringify(scopes),
    created_at: now,
    expires_at: endAfter(accessMilliseconds),
    last_used_at: null,
    created_by: null,
    authorization_id: authorization,
  })
  const refresh = isOffline ? newToken('refresh') : undefined
  if (refresh) {
    const expires_at = endAfter(refreshMilliseconds)
    await insertRefreshToken(tx, {
      hash: hashToken(refresh),
      authorization_id: authorization,
      expires_at,
      used_at: null,
    })
  }
  await extendAuthorization(tx, authorization, endAfter(refresh ? refreshMilliseconds : accessMilliseconds))
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: Math.floor((endAfter(accessMilliseconds) - now) / second),
    scope: scopes.join(' '),
    ...(refresh && { refresh_token: refresh }),
    issued_at: dateTime(now),
    user,
  }
}

/** The result of a transaction that must commit even if the request is refused. */
type Outcome = TokenAnswer | OAuthError

const reusedError = (credential: string) =>
  new OAuthError('invalid_grant', `${credential} was used before; all tokens issued for it are revoked`)

/** Revokes an authorization whose code or refresh token was used twice. */
async function endFamily(
  ctx: Context,
  tx: Transaction,
  {
    authorization_id,
    user_id: subject,
    app_id: app,
  }: Record<'authorization_id' | 'user_id' | 'app_id', string>,
  reused: 'code' | 'refresh token',
): Promise<void> {
  await deleteAuthorization(tx, authorization_id)
  deleteCachedActors(ctx, tx, [subject])
  const organization = { of: subject }
  await audit(tx, ctx, {
    organization,
    actor: null,
    action: 'app.token-reused',
    subject,
    details: { app, reused },
  })
}

const spent = new OAuthError('invalid_grant', 'The grant is invalid, expired, or issued to another app')

/**
 * Exchanges an authorization code. If a code is used twice, it was stolen, and all its tokens are revoked
 * (RFC 6749, section 4.1.2).
 * @throws invalid_grant
 */
export async function redeemCode(
  ctx: Context,
  app: App,
  request: { code: string; redirectUri: string | undefined; verifier: string | undefined },
): Promise<TokenAnswer> {
  if (!isToken('code', request.code)) throw spent
  return runAndThrow(ctx, async (tx): Promise<Outcome> => {
    const now = ctx.clock.now()
    const code = await findCode(tx, hashToken(request.code))
    if (!code || code.app_id !== app.id) return spent
    if (code.used_at !== null) {
      await endFamily(ctx, tx, code, 'code')
      return reusedError('The code')
    }
    if (Math.min(code.expires_at, code.ends_at) <= now) return spent
    const expected = code.redirect_uri ?? app.redirectUris[0]
    if (
      request.redirectUri !== expected &&
      (request.redirectUri !== undefined || code.redirect_uri !== null)
    ) {
      return new OAuthError('invalid_grant', 'redirect_uri differs from that of the authorization request')
    }
    if (!isVerified(code.code_challenge, request.verifier)) {
      return new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge')
    }
    await markCodeUsed(tx, code.hash, now)
    return issueTokens(ctx, tx, app, {
      authorization: code.authorization_id,
      user: code.user_id,
      scopes: JSON.parse(code.scopes),
      isOffline: code.is_offline === 1,
      endsAt: code.ends_at,
    })
  })
}

/**
 * Exchanges a refresh token for new tokens. If a token is used twice, it was stolen, and its whole family is
 * revoked (RFC 9700, section 4.14.2).
 * @param scope a subset of the granted scopes for the access token
 * @throws invalid_grant, invalid_scope
 */
export async function refreshTokens(
  ctx: Context,
  app: App,
  request: { token: string; scope: string | undefined },
): Promise<TokenAnswer> {
  if (!isToken('refresh', request.token)) throw spent
  const requested = request.scope === undefined ? undefined : scopesOf(request.scope)
  return runAndThrow(ctx, async (tx): Promise<Outcome> => {
    const now = ctx.clock.now()
    const token = await findRefreshToken(tx, hashToken(request.token))
    if (!token || token.app_id !== app.id) return spent
    if (token.used_at !== null) {
      await endFamily(ctx, tx, token, 'refresh token')
      return reusedError('The refresh token')
    }
    if (Math.min(token.expires_at, token.ends_at) <= now) return spent
    const allowed: Scope[] = JSON.parse(token.scopes)
    const scopes = requested ?? allowed
    if (!scopes.every((scope) => allowed.includes(scope))) {
      return new OAuthError('invalid_scope', 'scope exceeds the granted scopes')
    }
    await markRefreshTokenUsed(tx, token.hash, now)
    return issueTokens(ctx, tx, app, {
      authorization: token.authorization_id,
      user: token.user_id,
      scopes,
      isOffline: true,
      endsAt: token.ends_at,
    })
  })
}

async function runAndThrow(ctx: Context, work: (tx: Transaction) => Promise<Outcome>): Promise<TokenAnswer> {
  const outcome = await ctx.transaction(work)
  if (!(outcome instanceof OAuthError)) return outcome
  throw outcome
}

/**
 * Verifies PKCE. A verifier without a challenge is refused too, because an attacker may have removed the
 * challenge from the request.
 */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(hash('sha256', verifier, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
