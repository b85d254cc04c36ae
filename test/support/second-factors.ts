import {
  confirmSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../../src/features/sessions/second-factors.ts'
import { newTotpSecret, totpCode } from '../../src/lib/totp.ts'
import type { Person, TestApp } from './app.ts'
import { type Browser, browserAt, type Shown } from './browser.ts'
import { password } from './oauth.ts'

/** What somebody signs in with beside the password. */
export interface SecondFactor {
  /** What the authenticator app shows now, or so many half minutes later. */
  code(steps?: number): string
  readonly recoveryCodes: readonly string[]
}

const halfMinute = 30_000

/** Gives somebody a second factor, as if it had been set up a minute ago. */
export async function withSecondFactor({ ctx }: TestApp, { id }: Pick<Person, 'id'>): Promise<SecondFactor> {
  const secret = newTotpSecret()
  const then = ctx.clock.now() - 2 * halfMinute
  const recoveryCodes = await ctx.transaction(async (tx) => {
    await insertSecondFactor(tx, id, secret, then)
    if (!(await confirmSecondFactor(tx, id, totpCode(secret, then), then))) throw new Error('It was not confirmed')
    return replaceRecoveryCodes(tx, id)
  })
  return { code: (steps = 0) => totpCode(secret, ctx.clock.now() + steps * halfMinute), recoveryCodes }
}

/** Somebody who has given the password in a browser, and now sees what comes then. */
export async function afterPassword(
  { url }: TestApp,
  { username }: Pick<Person, 'username'>,
  { next = '/healthz', headers = {}, browser = browserAt(url, headers) }: Partial<Way> = {},
): Promise<{ browser: Browser; page: Shown }> {
  const form = await browser.open(`/auth/signin?${new URLSearchParams({ next })}`)
  return { browser, page: await browser.submit(form, '/auth/signin', { username, password }) }
}

interface Way {
  next: string
  headers: Record<string, string>
  browser: Browser
}
