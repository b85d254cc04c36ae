import type { FastifyInstance, FastifyRequest } from 'fastify'
import { navigationFor, type PageAccess, pathTo } from '../../contract/app-pages.ts'
import { icons } from '../../contract/icons.ts'
import { Failure } from '../../errors.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { isCrossSite } from '../../http/cross-site.ts'
import { asFailure, recordFailure, retryAfter } from '../../http/errors.ts'
import { takeForms } from '../../http/forms.ts'
import { type Html, html } from '../../http/html.ts'
import {
  contentOf,
  type Page,
  type PageResponse,
  pageResponse,
  pageRoute,
  redirectResponse,
} from '../../http/page.ts'
import { findSessionUser, type SessionUser } from '../sessions/session-user.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Context } from '../../context.ts'

export type WithForm = { Body: URLSearchParams }

/** Registers pages with forms. Cross-site requests are refused, and errors are shown as pages. */
export function pages(
  server: FastifyInstance,
  ctx: Context,
  declare: (scope: FastifyInstance) => void,
): void {
  server.register(async (scope) => {
    takeForms(scope)
    scope.addHook('onRequest', (request, reply, done) => {
      const isForeign = request.method === 'POST' && isCrossSite(request.headers, ctx.config.publicUrl)
      if (!isForeign) return done()
      reply.send(contentOf(crossSiteResponse(request), reply))
    })
    // A form without fields may be sent without a body.
    scope.addHook('preValidation', async (request) => {
      if (request.method === 'POST') request.body ??= new URLSearchParams()
    })
    scope.setErrorHandler<Error>(async (error, request, reply) =>
      contentOf(
        error instanceof Failure && error.code === 'UNAUTHORIZED'
          ? redirectToSignIn(ctx, '/account')
          : failureResponse(error, request),
        reply,
      ),
    )
    declare(scope)
  })
}

function crossSiteResponse({ headers }: RequestHeaders): PageResponse {
  const texts = textsFor(headers)
  return pageResponse(texts, {
    status: 403,
    title: texts.text('foreign.title'),
    main: html`<p>${texts.text('foreign.why')}</p>`,
  })
}

function failureResponse(error: Error, request: FastifyRequest): PageResponse {
  const texts = textsFor(request.headers)
  const { text } = texts
  const failure = asFailure(error)
  const { status } = failure
  recordFailure(request, failure)
  const message =
    status === 503
      ? text('error.busy')
      : status >= 500
        ? text('error.ours', { id: request.id })
        : text('error.notUnderstood')
  return pageResponse(texts, {
    status,
    title: text('error.title'),
    main: html`<p>${message}</p>`,
    ...(status === 503 && { retryAfter }),
  })
}

/** Returns a page of the signed-in user with the navigation. */
export function ownPage(texts: Texts, { user, isDelegated }: SessionUser, page: Page): PageResponse {
  const { text } = texts
  const sections = navigationFor({ organizationRole: user.organization_role, isDelegated })
  const links = sections.map(
    ({
      address,
      icon,
      ...link
    }) => html`<a href="${pathTo(address)}"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[icon]}"/></svg><span>${text(link.text)}</span></a>
`,
  )
  const navigation = html`<nav aria-label="${text('nav.label')}">
${links}</nav>
<div class="signed-in"><span>${text('nav.signedInAs', { user: user.username })}</span>
<form method="post" action="/auth/signout"><button class="second" type="submit">${text('signOut.do')}</button></form></div>`
  return pageResponse(texts, { ...page, navigation })
}

/**
 * Refuses a page to a delegated session, and says why: another person created the sign-in link or set the password, and may be
 * the one at the browser.
 */
export function notDelegatedPage(
  { headers }: RequestHeaders,
  sessionUser: SessionUser,
  next: string,
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  if (sessionUser.isByPin) {
    return ownPage(texts, sessionUser, {
      status: 403,
      title: text('classSignIn.limitedTitle'),
      main: html`<p>${text('classSignIn.limited')}</p>
<p><a href="/auth/signin?${new URLSearchParams({ next }).toString()}">${text('link.title')}</a></p>`,
    })
  }
  if (sessionUser.isByLink) {
    return ownPage(texts, sessionUser, {
      status: 403,
      title: text('byLink.title'),
      main: html`<p>${text('byLink.why')}</p>
<p><a href="/auth/signin?${new URLSearchParams({ next }).toString()}">${text('link.title')}</a></p>`,
    })
  }
  return ownPage(texts, sessionUser, {
    status: 403,
    title: text('resetPassword.title'),
    main: html`<p>${text('resetPassword.why')}</p>
<p><a href="/auth/own-password?${new URLSearchParams({ next }).toString()}">${text('reset.choose')}</a></p>`,
  })
}

/** The only page of a member who must set up a second factor first. */
const setUpPath = '/account/security'

/**
 * Returns what a user sees instead of a page that the session does not open: a delegated session opens none of the account,
 * and the session of a member who must set up a second factor opens only the page on which to do it.
 */
export function restrictionOf(
  ctx: Context,
  request: RequestHeaders,
  sessionUser: SessionUser,
  path: string,
): PageResponse | undefined {
  if (sessionUser.isDelegated) return notDelegatedPage(request, sessionUser, path)
  return sessionUser.missingFactor && path !== setUpPath ? redirectTo(ctx, setUpPath) : undefined
}

/**
 * Returns what a user sees instead of a page of the browser app, or undefined if the page opens. A member who must set up a second
 * factor first can open no page but the one on which to do it.
 * @param sessionUser undefined without a session
 */
export function barrierTo(
  ctx: Context,
  request: RequestHeaders & { readonly url: string },
  sessionUser: SessionUser | undefined,
  access: PageAccess,
): PageResponse | undefined {
  if (!sessionUser) return access === 'everyone' ? undefined : redirectToSignIn(ctx, request.url)
  if (access === 'owner') return restrictionOf(ctx, request, sessionUser, request.url)
  return sessionUser.missingFactor ? redirectTo(ctx, setUpPath) : undefined
}

/** A request of a signed-in user. */
export interface Visit {
  readonly texts: Texts
  readonly sessionUser: SessionUser
}

/**
 * Registers a route for users who signed in themselves, not by a sign-in link. Other users are sent to the
 * sign-in page, and return afterwards if the request was a GET.
 */
export function ownRoute(
  scope: FastifyInstance,
  ctx: Context,
  method: 'GET' | 'POST',
  url: string,
  handle: (visit: Visit, parameter: string) => Promise<PageResponse>,
): void {
  pageRoute<{ Params: { id?: string } }>(scope, method, url, async (request) => {
    const sessionUser = await findSessionUser(ctx, request.headers)
    const next = method === 'GET' ? request.url : '/account'
    if (!sessionUser) return redirectToSignIn(ctx, next)
    const restriction = restrictionOf(ctx, request, sessionUser, next)
    return restriction ?? handle({ texts: textsFor(request.headers), sessionUser }, request.params.id ?? '')
  })
}

/** Redirects to the sign-in page, which returns to `url`. */
export const redirectToSignIn = (ctx: Context, url: string): PageResponse =>
  redirectTo(ctx, `/auth/signin?${new URLSearchParams({ next: url })}`)

/** The reason why a form was refused: a page of this status with a message. */
export interface Refusal {
  readonly status: number
  readonly wrong: string | undefined
  readonly retryAfter?: number
}

/** An error message at the top of a form. */
export const wrongNotice = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="wrong" role="alert">${message}</p>`

/** @param path a path of this site or a URL */
export function redirectTo({ config }: Context, path: string, cookies: readonly string[] = []): PageResponse {
  // The URL class escapes every character that a header must not have.
  return redirectResponse(path.startsWith('/') ? new URL(config.publicUrl + path).href : path, cookies)
}

/** A hidden form field. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`
