import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../operation.ts'
import { cookie, cookieOf } from './cookies.ts'

const cookieName = 'partita_known'
const lifetime = 365 * 24 * 60 * 60 * 1000
/** Of how many accounts a browser keeps a mark: a computer of a school has many users. */
const mostAccounts = 20

/** The mark by which somebody has signed in to this account with this browser before; undefined where nobody has. */
export function markOf(ctx: Context, headers: IncomingHttpHeaders, account: string): string | undefined {
  return marksIn(ctx, headers).find((mark) => ctx.browserMarks.isOf(mark, account))
}

/** Whether somebody has ever signed in with this browser, as far as it says. */
export const hasMarks = (ctx: Context, headers: IncomingHttpHeaders): boolean => marksIn(ctx, headers).length > 0

/** The `Set-Cookie` by which a browser is known from now on to somebody who has signed in. */
export function markCookie(ctx: Context, headers: IncomingHttpHeaders, account: string): string {
  const others = marksIn(ctx, headers).filter((mark) => !ctx.browserMarks.isOf(mark, account))
  const marks = [ctx.browserMarks.make(account), ...others].slice(0, mostAccounts)
  return cookie(cookieName, marks.join('.'), lifetime, ctx.config.publicUrl)
}

/** However long what somebody sends is, no more is looked at than we would have written. */
function marksIn({ config }: Context, headers: IncomingHttpHeaders): string[] {
  const value = cookieOf(headers, cookieName, config.publicUrl)
  return value ? value.split('.', mostAccounts) : []
}
