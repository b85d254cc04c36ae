import { hash, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../contract/scopes.ts'
import type { Transaction } from '../db/database.ts'
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
} from '../features/access-tokens/authorizations.ts'
import { insertAccessToken } from '../features/access-tokens/store.ts'
import { audit } from '../features/audit/audit.ts'
import type { App } from '../features/apps/store.ts'
import { checkIsSignedIn, type Visitor } from '../http/session.ts'
import { dateTime } from '../lib/date-time.ts'
import { hashToken, isToken, newToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import type { Asking, AuthorizationRequest } from './authorization-request.ts'
import { OAuthError } from './oauth-error.ts'
import { scopesOf } from './scope-list.ts'

const second = 1000
const day = 24 * 60 * 60 * second

const codeMilliseconds = 60 * second
const accessMilliseconds = day
/** A refresh token ends when it was not used for half a year (RFC 9700, section 4.14.2). */
const refreshMilliseconds = 180 * day

/** What the token endpoint answers; `issued_at` is RFC 3339, `user` the id of the account. */
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

async function startAuthorization(ctx: Context, tx: Transaction, app: App, visitor: Visitor, granted: Granted) {
  await checkIsSignedIn(ctx, tx, visitor)
  const id = ctx.newId()
  const now = ctx.clock.now()
  await insertAuthorization(tx, {
    id,
    app_id: app.id,
    user_id: visitor.user.id,
    scopes: JSON.stringify(granted.scopes),
    is_offline: granted.isOffline ? 1 : 0,
    created_at: now,
    expires_at: now + codeMilliseconds,
  })
  const { id: actor, organization_id: organization } = visitor.user
  const details = { scopes: granted.scopes, isOffline: granted.isOffline }
  await audit(tx, ctx, { organization, actor, action: 'app.authorized', subject: app.id, details })
  return id
}

/** A code for what somebody has allowed, to be exchanged once within a minute. */
export async function issueCode(ctx: Context, asking: Asking, visitor: Visitor, granted: Granted): Promise<string> {
  const code = newToken('code')
  await ctx.transaction(async (tx) => {
    const authorization = await startAuthorization(ctx, tx, asking.app, visitor, granted)
    await insertCode(tx, {
      hash: hashToken(code),
      authorization_id: authorization,
      redirect_uri: asking.namedRedirectUri ?? null,
      code_challenge: granted.codeChallenge ?? null,
      expires_at: ctx.clock.now() + codeMilliseconds,
      used_at: null,
    })
  })
  return code
}

/** An access token for what somebody has allowed, at once, as the implicit flow has it. */
export async function issueImplicit(ctx: Context, app: App, visitor: Visitor, granted: Granted): Promise<TokenAnswer> {
  return ctx.transaction(async (tx) => {
    const authorization = await startAuthorization(ctx, tx, app, visitor, granted)
    const user = visitor.user.id
    return issueTokens(ctx, tx, app, { authorization, user, scopes: granted.scopes, isOffline: false })
  })
}

async function issueTokens(
  ctx: Context,
  tx: Transaction,
  app: App,
  given: { authorization: string; user: string; scopes: readonly Scope[]; isOffline: boolean },
): Promise<TokenAnswer> {
  const { authorization, user, scopes, isOffline } = given
  const now = ctx.clock.now()
  const token = newToken('access')
  await insertAccessToken(tx, {
    id: ctx.newId(),
    user_id: user,
    app_id: app.id,
    name: app.name,
    hash: hashToken(token),
    scopes: JSON.stringify(scopes),
    created_at: now,
    expires_at: now + accessMilliseconds,
    last_used_at: null,
    created_by: null,
    authorization_id: authorization,
  })
  const refresh = isOffline ? newToken('refresh') : undefined
  if (refresh) {
    const expires_at = now + refreshMilliseconds
    await insertRefreshToken(tx, {
      hash: hashToken(refresh),
      authorization_id: authorization,
      expires_at,
      used_at: null,
    })
  }
  await extendAuthorization(tx, authorization, now + (refresh ? refreshMilliseconds : accessMilliseconds))
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessMilliseconds / second,
    scope: scopes.join(' '),
    ...(refresh && { refresh_token: refresh }),
    issued_at: dateTime(now),
    user,
  }
}

/** What comes of a transaction that must not be undone although it refuses. */
type Outcome = TokenAnswer | OAuthError

/** The refusal with which all tokens of an authorization have ended. */
class FamilyEnded extends OAuthError {
  constructor(what: string) {
    super('invalid_grant', `${what} was used before: everything that has come of it has ended`)
  }
}

/** Ends an authorization of which something has come a second time. */
async function endFamily(
  ctx: Context,
  tx: Transaction,
  { authorization_id, user_id: subject, app_id: app }: Record<'authorization_id' | 'user_id' | 'app_id', string>,
  reused: 'code' | 'refresh token',
): Promise<void> {
  await deleteAuthorization(tx, authorization_id)
  const organization = { of: subject }
  await audit(tx, ctx, { organization, actor: null, action: 'app.token-reused', subject, details: { app, reused } })
}

const spent = new OAuthError('invalid_grant', 'It is not one of this app that can be used')

/**
 * Exchanges a code, once. One that comes a second time was stolen, by the first who used it or the second: everything that
 * has come of it ends (RFC 6749, section 4.1.2).
 * @throws invalid_grant
 */
export async function redeemCode(
  ctx: Context,
  app: App,
  given: { code: string; redirectUri: string | undefined; verifier: string | undefined },
): Promise<TokenAnswer> {
  if (!isToken('code', given.code)) throw spent
  return settled(ctx, async (tx): Promise<Outcome> => {
    const now = ctx.clock.now()
    const code = await findCode(tx, hashToken(given.code))
    if (!code || code.app_id !== app.id) return spent
    if (code.used_at !== null) {
      await endFamily(ctx, tx, code, 'code')
      return new FamilyEnded('The code')
    }
    if (code.expires_at <= now) return spent
    const expected = code.redirect_uri ?? app.redirectUris[0]
    if (given.redirectUri !== expected && (given.redirectUri !== undefined || code.redirect_uri !== null)) {
      return new OAuthError('invalid_grant', 'redirect_uri is not the one that the code was asked with')
    }
    if (!isVerified(code.code_challenge, given.verifier)) {
      return new OAuthError('invalid_grant', 'code_verifier does not belong to the code')
    }
    await markCodeUsed(tx, code.hash, now)
    return issueTokens(ctx, tx, app, {
      authorization: code.authorization_id,
      user: code.user_id,
      scopes: JSON.parse(code.scopes),
      isOffline: code.is_offline === 1,
    })
  })
}

/**
 * Exchanges a refresh token for new tokens, once. Where one comes a second time, somebody else has it as well, and nobody
 * knows who is who: the whole family ends (RFC 9700, section 4.14.2).
 * @param scope fewer than were allowed, for the access token
 * @throws invalid_grant, invalid_scope
 */
export async function refreshTokens(
  ctx: Context,
  app: App,
  given: { token: string; scope: string | undefined },
): Promise<TokenAnswer> {
  if (!isToken('refresh', given.token)) throw spent
  const asked = given.scope === undefined ? undefined : scopesOf(given.scope)
  return settled(ctx, async (tx): Promise<Outcome> => {
    const now = ctx.clock.now()
    const token = await findRefreshToken(tx, hashToken(given.token))
    if (!token || token.app_id !== app.id) return spent
    if (token.used_at !== null) {
      await endFamily(ctx, tx, token, 'refresh token')
      return new FamilyEnded('The refresh token')
    }
    if (token.expires_at <= now) return spent
    const allowed: Scope[] = JSON.parse(token.scopes)
    const scopes = asked ?? allowed
    if (!scopes.every((scope) => allowed.includes(scope))) {
      return new OAuthError('invalid_scope', 'scope names more than was allowed')
    }
    await markRefreshTokenUsed(tx, token.hash, now)
    return issueTokens(ctx, tx, app, {
      authorization: token.authorization_id,
      user: token.user_id,
      scopes,
      isOffline: true,
    })
  })
}

async function settled(ctx: Context, work: (tx: Transaction) => Promise<Outcome>): Promise<TokenAnswer> {
  const outcome = await ctx.transaction(work)
  if (!(outcome instanceof OAuthError)) return outcome
  if (outcome instanceof FamilyEnded) ctx.actors.forget()
  throw outcome
}

/** A verifier without a challenge is refused as well: somebody has taken the challenge out of the request. */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const expected = Buffer.from(challenge)
  const given = Buffer.from(hash('sha256', verifier, 'base64url'))
  return expected.length === given.length && timingSafeEqual(expected, given)
}
