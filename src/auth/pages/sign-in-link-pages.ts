import type { FastifyInstance } from 'fastify'
import { findLinkOf, signInByLink } from '../../features/people/organizations/sign-in-links.ts'
import { isToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { html } from '../../http/html.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import { sessionCookie, sessionHashOf } from '../sessions/session-user.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { redirectTo } from './pages.ts'

type WithToken = { Params: { token: string } }

/**
 * Pages of sign-in links. Opening a link does not use it up, because programs open links for previews. The
 * button of the page does.
 */
export function signInLinkPages(scope: FastifyInstance, ctx: Context): void {
  const { publicUrl } = ctx.config
  const url = '/auth/signin-link/:token'

  pageRoute<WithToken>(scope, 'GET', url, async ({ headers, params: { token } }) => {
    const texts = textsFor(headers)
    if (!(await findLinkOf(ctx.db.read, ctx, token))) return refusal(texts, token)
    return pageResponse(texts, {
      title: texts.text('link.title'),
      main: html`<p>${texts.text('link.once')}</p>
<form method="post"><button>${texts.text('link.signIn')}</button></form>`,
    })
  })

  pageRoute<WithToken>(scope, 'POST', url, async ({ headers, params: { token } }) => {
    const signedIn = await signInByLink(ctx, token, sessionHashOf(headers, publicUrl))
    if (!signedIn) return refusal(textsFor(headers), token)
    return redirectTo(ctx, signedIn.destination, [sessionCookie(signedIn.session, publicUrl)])
  })
}

/**
 * Explains why a link cannot be used. The checksum shows typing errors: a token with a wrong one is reported
 * as unknown, and any other unknown token as used or expired.
 */
function refusal(texts: Texts, token: string): PageResponse {
  return isToken('signInLink', token)
    ? messagePage(texts, 410, 'link.used', 'link.usedWhy')
    : messagePage(texts, 404, 'link.none', 'link.noneWhy')
}

function messagePage(texts: Texts, status: number, title: TextKey, message: TextKey): PageResponse {
  return pageResponse(texts, {
    status,
    title: texts.text(title),
    main: html`<p>${texts.text(message)}</p>`,
  })
}
