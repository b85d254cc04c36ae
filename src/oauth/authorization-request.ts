import type { Config } from '../config.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Queries } from '../db/database.ts'
import { type App, findApp } from '../features/apps/store.ts'
import { isId } from '../lib/ids.ts'
import { OAuthError, required, single } from './oauth-error.ts'
import { scopesOf } from './scope-list.ts'

/** Who asks, and where the answer goes: what must be sure before anything is said to the app. */
export interface Asking {
  app: App
  /** Where people are sent back to. */
  redirectUri: string
  /** The same, where the request names it. */
  namedRedirectUri: string | undefined
  state: string | undefined
}

/** What an app asks somebody to allow. */
export interface AuthorizationRequest {
  responseType: 'code' | 'token'
  scopes: readonly Scope[]
  isOffline: boolean
  codeChallenge: string | undefined
}

/** The parameters that belong to a request, in which the answer to it repeats it. */
export const requestParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'access_type',
  'code_challenge',
  'code_challenge_method',
] as const

/**
 * Whose request it is; the address is compared to the letter (RFC 9700, section 2.1).
 * @throws OAuthError that only the person may be told: where the app is meant to be answered is not sure
 */
export async function loadAsking(queries: Queries, query: URLSearchParams): Promise<Asking> {
  const id = required(query, 'client_id')
  const app = isId(id) ? await findApp(queries, id) : undefined
  if (!app) throw new OAuthError('invalid_client', 'There is no app with this client_id')
  const named = single(query, 'redirect_uri')
  const [only, ...others] = app.redirectUris
  const redirectUri = named ?? (others.length === 0 ? only : undefined)
  if (!redirectUri || !app.redirectUris.includes(redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri is none of those that are registered')
  }
  return { app, redirectUri, namedRedirectUri: named, state: single(query, 'state') }
}

/** @throws OAuthError that the app is told */
export function readRequest(query: URLSearchParams, { app }: Asking, config: Config): AuthorizationRequest {
  const responseType = required(query, 'response_type')
  const isImplicit = responseType === 'token' && config.oauthImplicit
  if (responseType !== 'code' && !isImplicit) {
    throw new OAuthError('unsupported_response_type', 'response_type is none that there is')
  }
  const accessType = single(query, 'access_type') ?? 'online'
  if (accessType !== 'online' && accessType !== 'offline') {
    throw new OAuthError('invalid_request', 'access_type is neither online nor offline')
  }
  return {
    responseType: isImplicit ? 'token' : 'code',
    scopes: scopesOf(required(query, 'scope')),
    isOffline: accessType === 'offline' && !isImplicit,
    codeChallenge: isImplicit ? undefined : readChallenge(query, app),
  }
}

/** S256 alone; an app that has a secret need not use it (RFC 7636, section 4.3; RFC 9700, section 2.1.1). */
function readChallenge(query: URLSearchParams, app: App): string | undefined {
  const challenge = single(query, 'code_challenge')
  const method = single(query, 'code_challenge_method')
  if (challenge === undefined) {
    if (app.secret_hash === null)
      throw new OAuthError('invalid_request', 'code_challenge is missing: this app needs PKCE')
    if (method !== undefined) throw new OAuthError('invalid_request', 'code_challenge is missing')
    return undefined
  }
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method is not S256')
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge is no SHA-256 in base64url')
  return challenge
}
