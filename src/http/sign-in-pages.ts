import type { FastifyInstance, FastifyReply } from 'fastify'
import { findLinkOf, signInByLink } from '../features/organizations/sign-in-links.ts'
import { isToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import { isCrossSite } from './cross-site.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import { sessionCookie, sessionHashOf } from './session.ts'
import type { TextKey, Texts } from '../texts/catalogue.ts'
import { textsFor } from '../texts/texts.ts'

type WithToken = { Params: { token: string } }

/**
 * Links that sign somebody in. To look at one does not use it up, as programs do that show what is behind a link; the
 * button of the page does.
 */
export function signInPages(server: FastifyInstance, ctx: Context): void {
  const { publicUrl } = ctx.config
  const url = '/auth/signin-link/:token'

  server.get<WithToken>(url, async ({ headers, params: { token } }, reply) => {
    const texts = textsFor(headers)
    if (!(await findLinkOf(ctx.db.read, ctx, token))) return refuse(reply, texts, token)
    return sendPage(reply, texts, {
      title: texts.text('link.title'),
      main: html`<p>${texts.text('link.once')}</p>
<form method="post"><button>${texts.text('link.signIn')}</button></form>`,
    })
  })

  server.post<WithToken>(
    url,
    { config: { emptyForm: true } as object },
    async ({ headers, params: { token } }, reply) => {
      const texts = textsFor(headers)
      // Nobody is signed in by the page of another site, as somebody else than they think.
      if (isCrossSite(headers, publicUrl)) return sendMessage(reply.status(403), texts, 'foreign.title', 'foreign.why')
      const signedIn = await signInByLink(ctx, token, sessionHashOf(headers, publicUrl))
      if (!signedIn) return refuse(reply, texts, token)
      return (
        reply
          .status(303)
          .header('Set-Cookie', sessionCookie(signedIn.session, publicUrl))
          .header('Cache-Control', 'no-store')
          // As an address, in which everything that a header cannot have is escaped.
          .header('Location', new URL(publicUrl + signedIn.destination).href)
          .send()
      )
    },
  )
}

/** A token that bears its checksum was one of ours; of what is gone nobody knows more. */
function refuse(reply: FastifyReply, texts: Texts, token: string): FastifyReply {
  return isToken('signInLink', token)
    ? sendMessage(reply.status(410), texts, 'link.used', 'link.usedWhy')
    : sendMessage(reply.status(404), texts, 'link.none', 'link.noneWhy')
}

function sendMessage(reply: FastifyReply, texts: Texts, title: TextKey, why: TextKey): FastifyReply {
  return sendPage(reply, texts, { title: texts.text(title), main: html`<p>${texts.text(why)}</p>` })
}
