import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asker } from '../http/asker.ts'
import { html } from '../http/html.ts'
import { parsedForm } from '../http/forms.ts'
import { sendPage } from '../http/page.ts'
import { findVisitor, type Visitor } from '../http/session.ts'
import { textsFor } from '../texts/texts.ts'
import type { Context } from '../operation.ts'
import {
  type Asking,
  type AuthorizationRequest,
  loadAsking,
  readRequest,
  requestParameters,
} from './authorization-request.ts'
import { issueCode, issueImplicit } from './issue.ts'
import { OAuthError } from './oauth-error.ts'
import { goTo, hidden, sendNotByLink, sendOwnPage, toSignIn, type WithForm } from './pages.ts'

/**
 * The authorization endpoint (RFC 6749, section 3.1). Somebody is asked each time, and is signed in before an app is told
 * anything: so this address leads nobody to another site who has not seen what it is.
 */
export function consent(scope: FastifyInstance, ctx: Context): void {
  scope.get('/auth/oauth', (request, reply) => {
    const start = request.url.indexOf('?')
    const query = parsedForm(start < 0 ? '' : request.url.slice(start + 1))
    return answering(request, reply, query, async (asking, visitor) =>
      sendQuestion(request, reply, query, asking, readRequest(query, asking, ctx.config), visitor),
    )
  })

  scope.post<WithForm>('/auth/oauth', (request, reply) => {
    const form = request.body
    return answering(request, reply, form, async (asking, visitor) => {
      const asked = readRequest(form, asking, ctx.config)
      // Somebody else has signed in since in the same browser.
      if (form.get('user') !== visitor.user.id) return sendQuestion(request, reply, form, asking, asked, visitor)
      if (form.get('decision') !== 'allow') throw new OAuthError('access_denied', 'The person did not allow it')
      if (asked.responseType === 'code') {
        const code = await issueCode(ctx, asking, visitor, asked)
        return answer(reply, asking, { code, state: asking.state })
      }
      const { user: _user, issued_at: _issued, ...token } = await issueImplicit(ctx, asking.app, visitor, asked)
      return answer(reply, asking, { ...token, state: asking.state }, '#')
    })
  })

  /** Finds out who asks and who is asked; tells the app what it does wrong, and the person who cannot be sent to it. */
  async function answering(
    request: FastifyRequest,
    reply: FastifyReply,
    query: URLSearchParams,
    work: (asking: Asking, visitor: Visitor) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    let asking: Asking
    try {
      asking = await loadAsking(ctx.db.read, query)
    } catch (error) {
      if (error instanceof OAuthError) return sendRefusal(request, reply, error)
      throw error
    }
    const visitor = await findVisitor(ctx, request.headers)
    const url = `/auth/oauth?${requestOf(query)}`
    if (!visitor) return toSignIn(reply, ctx, url)
    if (visitor.isByLink) return sendNotByLink(request, reply, visitor, url)
    try {
      return await work(asking, visitor)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const isImplicit = ctx.config.oauthImplicit && query.get('response_type') === 'token'
      const told = { error: error.code, error_description: error.message, state: asking.state }
      return answer(reply, asking, told, isImplicit ? '#' : '?')
    }
  }

  /** Sends the browser back to the app, with what the app may know (RFC 6749, section 4.1.2; RFC 9207). */
  function answer(
    reply: FastifyReply,
    { redirectUri }: Asking,
    parameters: Readonly<Record<string, string | number | undefined>>,
    separator: '?' | '#' = '?',
  ): FastifyReply {
    const told = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...parameters, iss: ctx.config.publicUrl })) {
      if (value !== undefined) told.set(name, String(value))
    }
    const isContinued = separator === '?' && redirectUri.includes('?')
    return goTo(reply, ctx, `${redirectUri}${isContinued ? '&' : separator}${told}`)
  }
}

/** The request alone, without what else came with it. */
function requestOf(query: URLSearchParams): URLSearchParams {
  const request = new URLSearchParams()
  for (const name of requestParameters) for (const value of query.getAll(name)) request.append(name, value)
  return request
}

function sendQuestion(
  { headers }: Asker,
  reply: FastifyReply,
  query: URLSearchParams,
  { app, redirectUri }: Asking,
  { scopes, isOffline }: AuthorizationRequest,
  visitor: Visitor,
): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  const names = { app: app.name, user: visitor.user.username }
  const target = new URL(redirectUri)
  const fields = [...requestOf(query)].map(([name, value]) => hidden(name, value))
  return sendOwnPage(reply, texts, visitor, {
    title: text('consent.title', names),
    // The answer to the form leads to the app.
    formTargets: [target.origin === 'null' ? target.protocol : target.origin],
    main: html`${app.hasLogo && html`<img class="logo" src="/auth/apps/${app.id}/logo" alt="" width="64" height="64">`}
<p>${text('consent.what', names)}</p>
<ul>${scopes.map((scope) => html`<li>${text(`scope.${scope}`)}</li>`)}</ul>
<p>${text(isOffline ? 'consent.offline' : 'consent.online')}</p>
<p>${text('consent.goesTo', { address: target.origin === 'null' ? redirectUri : target.origin })}</p>
<p class="notice">${text('consent.unknown')}</p>
<form method="post" action="/auth/oauth">
${fields}
${hidden('user', visitor.user.id)}
<div class="buttons"><button type="submit" name="decision" value="allow">${text('consent.allow')}</button>
<button class="second" type="submit" name="decision" value="deny">${text('consent.deny')}</button></div>
</form>
<p class="hint">${text('consent.other')}</p>`,
  })
}

function sendRefusal({ headers }: Asker, reply: FastifyReply, { message }: OAuthError): FastifyReply {
  const texts = textsFor(headers)
  return sendPage(reply.status(400), texts, {
    title: texts.text('consent.refused'),
    main: html`<p>${texts.text('consent.refusedWhy', { reason: message })}</p>`,
  })
}
