import type { FastifyInstance, FastifyReply } from 'fastify'
import { findLinkOf, signInByLink } from '../../features/people/organizations/sign-in-links.ts'
import { isToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { html } from '../../http/html.ts'
import { sendPage } from '../../http/page.ts'
import { sessionCookie, sessionHashOf } from '../sessions/session-user.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { goTo } from './pages.ts'

type WithToken = { Params: { token: string } }

/**
 * Pages of sign-in links. Opening a link does not use it up, because programs open links for previews. The
 * button of the page does.
 */
export function signInLinkPages(scope: FastifyInstance, ctx: Context): void {
  const { publicUrl } = ctx.config
  const url = '/auth/signin-link/:token'

  scope.get<WithToken>(url, async ({ headers, params: { token } }, reply) => {
    const texts = textsFor(headers)
    if (!(await findLinkOf(ctx.db.read, ctx, token))) return refuse(reply, texts, token)
    return sendPage(reply, texts, {
      title: texts.text('link.title'),
      main: html`<p>${texts.text('link.once')}</p>
<form method="post"><button>${texts.text('link.signIn')}</button></form>`,
    })
  })

  scope.post<WithToken>(url, async ({ headers, params: { token } }, reply) => {
    const signedIn = await signInByLink(ctx, token, sessionHashOf(headers, publicUrl))
    if (!signedIn) return refuse(reply, textsFor(headers), token)
    reply.header('Set-Cookie', sessionCookie(signedIn.session, publicUrl))
    return goTo(reply, ctx, signedIn.destination)
  })
}

/**
 * Explains why a link cannot be used. The checksum shows typing errors: a token with a wrong one is reported
 * as unknown, and any other unknown token as used or expired.
 */
function refuse(reply: FastifyReply, texts: Texts, token: string): FastifyReply {
  return isToken('signInLink', token)
    ? sendMessage(reply.status(410), texts, 'link.used', 'link.usedWhy')
    : sendMessage(reply.status(404), texts, 'link.none', 'link.noneWhy')
}

function sendMessage(reply: FastifyReply, texts: Texts, title: TextKey, message: TextKey): FastifyReply {
  return sendPage(reply, texts, { title: texts.text(title), main: html`<p>${texts.text(message)}</p>` })
}
