import type { Config } from '../../config.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Queries } from '../../platform/db/database.ts'
import { type App, findApp } from './apps/store.ts'
import { isId } from '../../lib/ids.ts'
import { OAuthError, required, optional } from './oauth-error.ts'
import { scopesOf } from './scope-list.ts'

/**
 * The validated client of an authorization request. Errors are sent to the app only after this validation.
 */
export interface RequestingClient {
  app: App
  /** The redirect URI for the response. */
  redirectUri: string
  /** The redirect URI in the request; undefined if the request has none. */
  namedRedirectUri: string | undefined
  state: string | undefined
}

/** The validated parameters of an authorization request. */
export interface AuthorizationRequest {
  responseType: 'code' | 'token'
  scopes: readonly Scope[]
  isOffline: boolean
  codeChallenge: string | undefined
}

/** The parameters of a request that the consent form sends again. */
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
 * Validates the client and the redirect URI. Redirect URIs are compared as strings (RFC 9700, section 2.1).
 * @throws OAuthError, which must be shown to the user and not sent to the app, because the redirect URI is
 *   not trusted
 */
export async function loadRequestingClient(
  queries: Queries,
  query: URLSearchParams,
): Promise<RequestingClient> {
  const id = required(query, 'client_id')
  const app = isId(id) ? await findApp(queries, id) : undefined
  if (!app) throw new OAuthError('invalid_client', 'No app has this client_id')
  const requestedUri = optional(query, 'redirect_uri')
  const [only, ...others] = app.redirectUris
  const redirectUri = requestedUri ?? (others.length === 0 ? only : undefined)
  if (!redirectUri || !app.redirectUris.includes(redirectUri)) {
    throw new OAuthError('invalid_request', 'redirect_uri is not registered')
  }
  return { app, redirectUri, namedRedirectUri: requestedUri, state: optional(query, 'state') }
}

/**
 * Validates the other parameters.
 * @throws OAuthError, which is sent to the app
 */
export function readRequest(
  query: URLSearchParams,
  { app }: RequestingClient,
  config: Config,
): AuthorizationRequest {
  const responseType = required(query, 'response_type')
  const isImplicit = responseType === 'token' && config.oauthImplicit
  if (responseType !== 'code' && !isImplicit) {
    throw new OAuthError('unsupported_response_type', 'response_type is not supported')
  }
  const accessType = optional(query, 'access_type') ?? 'online'
  if (accessType !== 'online' && accessType !== 'offline') {
    throw new OAuthError('invalid_request', 'access_type must be online or offline')
  }
  return {
    responseType: isImplicit ? 'token' : 'code',
    scopes: scopesOf(required(query, 'scope')),
    isOffline: accessType === 'offline' && !isImplicit,
    codeChallenge: isImplicit ? undefined : readChallenge(query, app),
  }
}

/**
 * Reads the PKCE challenge. Only S256 is supported; confidential apps may omit it (RFC 7636, section 4.3; RFC
 * 9700, section 2.1.1).
 */
function readChallenge(query: URLSearchParams, app: App): string | undefined {
  const challenge = optional(query, 'code_challenge')
  const method = optional(query, 'code_challenge_method')
  if (challenge === undefined) {
    if (app.secret_hash === null)
      throw new OAuthError('invalid_request', 'code_challenge is missing: PKCE is required for this app')
    if (method !== undefined) throw new OAuthError('invalid_request', 'code_challenge is missing')
    return undefined
  }
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 hash in base64url')
  return challenge
}
