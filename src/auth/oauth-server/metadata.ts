import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { allScopes } from '../../contract/scopes.ts'
import { languages } from '../../texts/texts.ts'

const wellKnown = '/.well-known/oauth-authorization-server'

/**
 * Serves the metadata of the authorization server (RFC 8414), also below the path of the issuer if it has
 * one.
 */
export function authorizationServerMetadata(
  server: FastifyInstance,
  { publicUrl, oauthImplicit }: Config,
): void {
  const methods = ['client_secret_basic', 'client_secret_post']
  const metadata = {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/auth/oauth`,
    token_endpoint: `${publicUrl}/oauth/access_token`,
    token_endpoint_auth_methods_supported: [...methods, 'none'],
    revocation_endpoint: `${publicUrl}/oauth/invalidate_token`,
    revocation_endpoint_auth_methods_supported: [...methods, 'none'],
    introspection_endpoint: `${publicUrl}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: methods,
    response_types_supported: ['code', ...(oauthImplicit ? ['token'] : [])],
    response_modes_supported: ['query', ...(oauthImplicit ? ['fragment'] : [])],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(oauthImplicit ? ['implicit'] : [])],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: allScopes,
    ui_locales_supported: languages,
    service_documentation: `${publicUrl}/docs`,
  }
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  for (const url of new Set([wellKnown, wellKnown + path])) server.get(url, async () => metadata)
}
