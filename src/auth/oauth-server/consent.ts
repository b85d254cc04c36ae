import type { FastifyInstance } from 'fastify'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { html } from '../../http/html.ts'
import { parsedForm } from '../../http/forms.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import { findSessionUser, type SessionUser } from '../sessions/session-user.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Context } from '../../context.ts'
import {
  type RequestingClient,
  type AuthorizationRequest,
  loadRequestingClient,
  readRequest,
  requestParameters,
} from './authorization-request.ts'
import { issueCode, issueImplicit } from './issue.ts'
import { OAuthError } from './oauth-error.ts'
import {
  hidden,
  ownPage,
  redirectTo,
  redirectToSignIn,
  restrictionOf,
  type WithForm,
} from '../pages/pages.ts'

/**
 * The authorization endpoint (RFC 6749, section 3.1). It gives access only after a signed-in user has
 * allowed it, and redirects only to a registered redirect URI.
 */
export function consent(scope: FastifyInstance, ctx: Context): void {
  pageRoute(scope, 'GET', '/auth/oauth', (request) => {
    const start = request.url.indexOf('?')
    const query = parsedForm(start < 0 ? '' : request.url.slice(start + 1))
    return withClient(request, query, async (client, sessionUser) =>
      questionPage(request, query, client, readRequest(query, client, ctx.config), sessionUser),
    )
  })

  pageRoute<WithForm>(scope, 'POST', '/auth/oauth', (request) => {
    const form = request.body
    return withClient(request, form, async (client, sessionUser) => {
      const authorizationRequest = readRequest(form, client, ctx.config)
      // Another user has signed in with this browser since the form was shown.
      if (form.get('user') !== sessionUser.user.id)
        return questionPage(request, form, client, authorizationRequest, sessionUser)
      if (form.get('decision') !== 'allow')
        throw new OAuthError('access_denied', 'The user denied the request')
      if (authorizationRequest.responseType === 'code') {
        const code = await issueCode(ctx, client, sessionUser, authorizationRequest)
        return answer(client, { code, state: client.state })
      }
      const {
        user: _user,
        issued_at: _issued,
        ...token
      } = await issueImplicit(ctx, client.app, sessionUser, authorizationRequest)
      return answer(client, { ...token, state: client.state }, '#')
    })
  })

  /**
   * Validates the request and finds the signed-in user. Errors are sent to the app, or shown to the user if
   * the redirect URI is not trusted.
   */
  async function withClient(
    request: RequestHeaders,
    query: URLSearchParams,
    work: (client: RequestingClient, sessionUser: SessionUser) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    let client: RequestingClient
    try {
      client = await loadRequestingClient(ctx.db.read, query)
    } catch (error) {
      if (error instanceof OAuthError) return refusalPage(request, error)
      throw error
    }
    const sessionUser = await findSessionUser(ctx, request.headers)
    const url = `/auth/oauth?${requestOf(query)}`
    if (!sessionUser) return redirectToSignIn(ctx, url)
    const restriction = restrictionOf(ctx, request, sessionUser, url)
    if (restriction) return restriction
    try {
      return await work(client, sessionUser)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const isImplicit = ctx.config.oauthImplicit && query.get('response_type') === 'token'
      const parameters = { error: error.code, error_description: error.message, state: client.state }
      return answer(client, parameters, isImplicit ? '#' : '?')
    }
  }

  /** Redirects the browser to the app with the response (RFC 6749, section 4.1.2; RFC 9207). */
  function answer(
    { redirectUri }: RequestingClient,
    parameters: Readonly<Record<string, string | number | undefined>>,
    separator: '?' | '#' = '?',
  ): PageResponse {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...parameters, iss: ctx.config.publicUrl })) {
      if (value !== undefined) query.set(name, String(value))
    }
    const isContinued = separator === '?' && redirectUri.includes('?')
    return redirectTo(ctx, `${redirectUri}${isContinued ? '&' : separator}${query}`)
  }
}

/** Returns only the parameters of the authorization request. */
function requestOf(query: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams()
  for (const name of requestParameters) for (const value of query.getAll(name)) request.append(name, value)
  return request
}

function questionPage(
  { headers }: RequestHeaders,
  query: URLSearchParams,
  { app, redirectUri }: RequestingClient,
  { scopes, isOffline }: AuthorizationRequest,
  sessionUser: SessionUser,
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  const names = { app: app.name, user: sessionUser.user.username }
  const target = new URL(redirectUri)
  const fields = [...requestOf(query)].map(([name, value]) => hidden(name, value))
  return ownPage(texts, sessionUser, {
    title: text('consent.title', names),
    // The response to the form redirects to the app.
    formTargets: [target.origin === 'null' ? target.protocol : target.origin],
    main: html`${app.hasLogo && html`<img class="logo" src="/auth/apps/${app.id}/logo" alt="" width="64" height="64">`}
<p>${text('consent.what', names)}</p>
<ul>${scopes.map((scope) => html`<li>${text(`scope.${scope}`)}</li>`)}</ul>
<p>${text(isOffline ? 'consent.offline' : 'consent.online')}</p>
<p>${text('consent.goesTo', { address: target.origin === 'null' ? redirectUri : target.origin })}</p>
<p class="notice">${text('consent.unknown')}</p>
<form method="post" action="/auth/oauth">
${fields}
${hidden('user', sessionUser.user.id)}
<div class="buttons"><button type="submit" name="decision" value="allow">${text('consent.allow')}</button>
<button class="second" type="submit" name="decision" value="deny">${text('consent.deny')}</button></div>
</form>
<p class="hint">${text('consent.other')}</p>`,
  })
}

function refusalPage({ headers }: RequestHeaders, { message }: OAuthError): PageResponse {
  const texts = textsFor(headers)
  return pageResponse(texts, {
    status: 400,
    title: texts.text('consent.refused'),
    main: html`<p>${texts.text('consent.refusedWhy', { reason: message })}</p>`,
  })
}
