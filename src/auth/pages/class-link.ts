import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../context.ts'
import { cookie, cookieOf } from '../../http/cookies.ts'
import { type Html, html } from '../../http/html.ts'
import { day } from '../../lib/durations.ts'
import type { Texts } from '../../texts/catalogue.ts'

/** The address of the sign-in pages of classes. */
export const classRoot = '/auth/class'

const cookieName = 'partita_class'
const lifetimeMs = 180 * day

/** Returns the `Set-Cookie` header by which a browser remembers the class that was last used in it. */
export const classCookie = ({ config }: Context, code: string): string =>
  cookie(cookieName, code, lifetimeMs, config.publicUrl)

/** Leads a student who has signed out back to the names of the class. */
export function classLink(
  { config }: Context,
  { text }: Texts,
  headers: IncomingHttpHeaders,
): Html | undefined {
  const code = cookieOf(headers, cookieName, config.publicUrl)
  if (!code || !/^[a-z0-9]{1,20}$/.test(code)) return undefined
  return html`<p><a href="${classRoot}/${code}">${text('classSignIn.title')}</a></p>
`
}
