import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'
import type { Asker } from '../http/asker.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { takeForms } from '../http/forms.ts'
import { type Html, html } from '../http/html.ts'
import { type Page, sendPage } from '../http/page.ts'
import { findVisitor, type Visitor } from '../http/session.ts'
import type { Texts } from '../texts/catalogue.ts'
import { textsFor } from '../texts/texts.ts'
import type { Context } from '../operation.ts'

export type WithForm = { Body: URLSearchParams }

/** Pages with forms: what another site's page sends is refused, and what goes wrong is said in words. */
export function pages(server: FastifyInstance, ctx: Context, declare: (scope: FastifyInstance) => void): void {
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
    // A form without fields may come without a body.
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
    error instanceof Failure ? error.status : ((error as { statusCode?: number } | undefined)?.statusCode ?? 500)
  if (status >= 500) request.log.error({ err: error, request: request.id }, 'page')
  if (status === 503) reply.header('Retry-After', 5)
  const why =
    status === 503
      ? text('error.busy')
      : status >= 500
        ? text('error.ours', { id: request.id })
        : text('error.notUnderstood')
  return sendPage(reply.status(status), texts, { title: text('error.title'), main: html`<p>${why}</p>` })
}

/** Sends a page of somebody who is signed in: with where else there is to go. */
export function sendOwnPage(reply: FastifyReply, texts: Texts, { user }: Visitor, page: Page): FastifyReply {
  const { text } = texts
  const navigation = html`<nav aria-label="${text('nav.label')}">
<a href="/account">${text('nav.account')}</a>
<a href="/account/apps">${text('nav.apps')}</a>
<a href="/account/security">${text('nav.security')}</a>
<span>${text('nav.signedInAs', { user: user.username })}</span>
<form method="post" action="/auth/signout"><button class="second" type="submit">${text('signOut.do')}</button></form>
</nav>`
  return sendPage(reply, texts, { ...page, navigation })
}

/** What is a person's own is not for who is signed in by the link of somebody else, who may be there as well. */
export function sendNotByLink({ headers }: Asker, reply: FastifyReply, visitor: Visitor, next: string): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  return sendOwnPage(reply.status(403), texts, visitor, {
    title: text('byLink.title'),
    main: html`<p>${text('byLink.why')}</p>
<p><a href="/auth/signin?${new URLSearchParams({ next }).toString()}">${text('link.title')}</a></p>`,
  })
}

/** A request of somebody who is signed in. */
export interface Visit {
  readonly reply: FastifyReply
  readonly texts: Texts
  readonly visitor: Visitor
}

/** Serves who is signed in, and not by the link of somebody else; others sign in first, and come back to what they can look at. */
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
      const visitor = await findVisitor(ctx, request.headers)
      const next = method === 'GET' ? request.url : '/account'
      if (!visitor) return toSignIn(reply, ctx, next)
      if (visitor.isByLink) return sendNotByLink(request, reply, visitor, next)
      return handle({ reply, texts: textsFor(request.headers), visitor }, request.params.id ?? '')
    },
  })
}

/** Sends somebody to sign in, and then back to what they asked for. */
export const toSignIn = (reply: FastifyReply, ctx: Context, url: string): FastifyReply =>
  goTo(reply, ctx, `/auth/signin?${new URLSearchParams({ next: url })}`)

/** What is wrong with a form, where its reader looks first. */
export const wrongNotice = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="wrong" role="alert">${message}</p>`

/** Sends a browser on; to GET what is there, whatever it sent. @param path of this site, or an address */
export function goTo(reply: FastifyReply, { config }: Context, path: string): FastifyReply {
  // As an address, in which everything that a header cannot have is escaped.
  const address = path.startsWith('/') ? new URL(config.publicUrl + path).href : path
  return reply.status(303).header('Cache-Control', 'no-store').header('Location', address).send()
}

/** A field that carries something along unseen. */
export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`
