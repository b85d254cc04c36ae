import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { html } from '../../http/html.ts'
import { pageResponse, pageRoute } from '../../http/page.ts'
import { textsFor } from '../../texts/texts.ts'
import { findSessionUser } from '../sessions/session-user.ts'
import { pageScript, servePageScript } from './page-script.ts'
import { redirectToSignIn } from './pages.ts'

const path = '/auth/signed-in'
const script = pageScript('signed-in')

/**
 * The page after a sign-in in the window that the app opens when its session has ended. Each way to sign in leads to it by
 * `next`. Without scripts the user closes the window, and the app asks the server when it has the focus again.
 */
export function signedInPage(scope: FastifyInstance, ctx: Context): void {
  servePageScript(scope, script)
  pageRoute(scope, 'GET', path, async ({ headers }) => {
    if (!(await findSessionUser(ctx, headers))) return redirectToSignIn(ctx, path)
    const texts = textsFor(headers)
    return pageResponse(texts, {
      title: texts.text('signedIn.title'),
      script: script.path,
      main: html`<p>${texts.text('signedIn.what')}</p>`,
    })
  })
}
