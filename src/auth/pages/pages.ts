import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { navigationFor, pathTo } from '../../contract/app-pages.ts'
import { Failure } from '../../errors.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { isCrossSite } from '../../http/cross-site.ts'
import { takeForms } from '../../http/forms.ts'
import { type Html, html } from '../../http/html.ts'
import { type Page, sendPage } from '../../http/page.ts'
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
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST' || !isCrossSite(request.headers, ctx.config.publicUrl)) return
      const { text, ...texts } = textsFor(request.headers)
      return sendPage(
        reply.status(403),
        { text, ...texts },
        {
          title: text('foreign.title'),
          main: html`<p>${text('foreign.why')}</p>`,
        },
      )
    })
    // A form without fields may be sent without a body.
    scope.addHook('preValidation', async (request) => {
      if (request.method === 'POST') request.body ??= new URLSearchParams()
    })
    scope.setErrorHandler((error, request, reply) =>
      error instanceof Failure && error.code === 'UNAUTHORIZED'
        ? toSignIn(reply, ctx, '/account')
        : sendFailure(error, request, reply),
    )
    declare(scope)
  })
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsFor(request.headers)
  const { text } = texts
  const status =
    error instanceof Failure
      ? error.status
      : ((error as { statusCode?: number } | undefined)?.statusCode ?? 500)
  if (status >= 500) request.log.error({ err: error, request: request.id }, 'page')
  if (status === 503) reply.header('Retry-After', 5)
  const message =
    status === 503
      ? text('error.busy')
      : status >= 500
        ? text('error.ours', { id: request.id })
        : text('error.notUnderstood')
  return sendPage(reply.status(status), texts, { title: text('error.title'), main: html`<p>${message}</p>` })
}

/** Sends a page of the signed-in user with the navigation. */
export function sendOwnPage(
  reply: FastifyReply,
  texts: Texts,
  { user }: SessionUser,
  page: Page,
): FastifyReply {
  const { text } = texts
  const navigation = html`<nav aria-label="${text('nav.label')}">
${navigationFor(user.organization_role).map((link) => html`<a href="${pathTo(link.address)}">${text(link.text)}</a>\n`)}<span>${text('nav.signedInAs', { user: user.username })}</span>
<form method="post" action="/auth/signout"><button class="second" type="submit">${text('signOut.do')}</button></form>
</nav>`
  return sendPage(reply, texts, { ...page, navigation })
}

/**
 * Refuses a page to a delegated session, and says why: another person made the sign-in link or set the password, and may be
 * the one at the browser.
 */
export function sendNotDelegated(
  { headers }: RequestHeaders,
  reply: FastifyReply,
  sessionUser: SessionUser,
  next: string,
): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  if (sessionUser.isByLink) {
    return sendOwnPage(reply.status(403), texts, sessionUser, {
      title: text('byLink.title'),
      main: html`<p>${text('byLink.why')}</p>
<p><a href="/auth/signin?${new URLSearchParams({ next }).toString()}">${text('link.title')}</a></p>`,
    })
  }
  return sendOwnPage(reply.status(403), texts, sessionUser, {
    title: text('resetPassword.title'),
    main: html`<p>${text('resetPassword.why')}</p>
<p><a href="/auth/password">${text('reset.title')}</a></p>`,
  })
}

/** A request of a signed-in user. */
export interface Visit {
  readonly reply: FastifyReply
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
  handle: (visit: Visit, parameter: string) => Promise<FastifyReply>,
): void {
  scope.route<{ Params: { id?: string } }>({
    method,
    url,
    async handler(request, reply) {
      const sessionUser = await findSessionUser(ctx, request.headers)
      const next = method === 'GET' ? request.url : '/account'
      if (!sessionUser) return toSignIn(reply, ctx, next)
      if (sessionUser.isDelegated) return sendNotDelegated(request, reply, sessionUser, next)
      return handle({ reply, texts: textsFor(request.headers), sessionUser }, request.params.id ?? '')
    },
  })
}

/** Redirects to the sign-in page, which returns to `url`. */
export const toSignIn = (reply: FastifyReply, ctx: Context, url: string): FastifyReply =>
  goTo(reply, ctx, `/auth/signin?${new URLSearchParams({ next: url })}`)

/** An error message at the top of a form. */
export const wrongNotice = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="wrong" role="alert">${message}</p>`

/**
 * Redirects a browser with 303, so that it sends a GET.
 * @param path a path of this site or a URL
 */
export function goTo(reply: FastifyReply, { config }: Context, path: string): FastifyReply {
  // The URL class escapes every character that a header must not have.
  const address = path.startsWith('/') ? new URL(config.publicUrl + path).href : path
  return reply.status(303).header('Cache-Control', 'no-store').header('Location', address).send()
}

/** A hidden form field. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`
