import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../context.ts'
import { cookie, cookieOf } from '../../http/cookies.ts'
import { tokenLifetime } from './trusted-devices.ts'

const cookieName = 'partita_known'
/** The maximum number of accounts for which a browser keeps a token. A school computer has many users. */
const maxAccounts = 20

/** Returns the trusted-device token of this account in the cookie; undefined if there is none. */
export function trustedDeviceTokenOf(
  ctx: Context,
  headers: IncomingHttpHeaders,
  account: string,
): string | undefined {
  return tokensIn(ctx, headers).find((token) => ctx.auth.trustedDevices.verify(token, account))
}

/** Returns the `Set-Cookie` header that adds a token of this account after a sign-in. */
export function trustedDeviceCookie(ctx: Context, headers: IncomingHttpHeaders, account: string): string {
  const others = tokensIn(ctx, headers).filter((token) => !ctx.auth.trustedDevices.verify(token, account))
  const tokens = [ctx.auth.trustedDevices.issue(account), ...others].slice(0, maxAccounts)
  return cookie(cookieName, tokens.join('.'), tokenLifetime, ctx.config.publicUrl)
}

/** Returns the tokens in the cookie, but not more than the server would have written. */
function tokensIn({ config }: Context, headers: IncomingHttpHeaders): string[] {
  const value = cookieOf(headers, cookieName, config.publicUrl)
  return value ? value.split('.', maxAccounts) : []
}
