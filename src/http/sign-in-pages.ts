import type { FastifyInstance, FastifyReply } from 'fastify'
import { findLinkOf, sessionMilliseconds, signInByLink } from '../features/organizations/sign-in-links.ts'
import { isToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import { sendPage } from './page.ts'

type WithToken = { Params: { token: string } }

/**
 * Links that sign somebody in. To look at one does not use it up, as programs do that show what is behind a link; the
 * button of the page does.
 */
export function signInPages(server: FastifyInstance, ctx: Context): void {
  const { publicUrl } = ctx.config
  const url = '/auth/signin-link/:token'
  server.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === url) {
      reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
    }
  })

  server.get<WithToken>(url, async ({ params: { token } }, reply) => {
    if (!(await findLinkOf(ctx.db.read, ctx, token))) return refuse(reply, token)
    return sendPage(
      reply,
      'Sign in to Partita',
      '<p>This link signs you in, once.</p>\n  <form method="post"><button>Sign in</button></form>',
    )
  })

  server.post<WithToken>(url, { config: { emptyForm: true } }, async ({ headers, params: { token } }, reply) => {
    // Nobody is signed in by the page of another site, as somebody else than they think.
    if (headers['sec-fetch-site'] === 'cross-site') {
      return sendPage(reply.status(403), 'Sign in to Partita', '<p>Open the link itself, and sign in from there.</p>')
    }
    const signedIn = await signInByLink(ctx, token)
    if (!signedIn) return refuse(reply, token)
    const attributes = ['Path=/', `Max-Age=${sessionMilliseconds / 1000}`, 'HttpOnly', 'SameSite=Lax']
    if (publicUrl.startsWith('https:')) attributes.push('Secure')
    return (
      reply
        .status(303)
        .header('Set-Cookie', [`partita_session=${signedIn.session}`, ...attributes].join('; '))
        // As an address, in which everything that a header cannot have is escaped.
        .header('Location', new URL(publicUrl + signedIn.destination).href)
        .send()
    )
  })
}

/** A token that bears its checksum was one of ours; of what is gone nobody knows more. */
function refuse(reply: FastifyReply, token: string): FastifyReply {
  if (isToken('signInLink', token)) {
    return sendPage(
      reply.status(410),
      'This link is used up',
      '<p>It has signed somebody in already, or was not used in time. Ask who gave it to you for a new one.</p>',
    )
  }
  return sendPage(
    reply.status(404),
    'There is no such link',
    '<p>Part of the address may be missing: open the link as it was given to you.</p>',
  )
}
