import {
  confirmSecret,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../../src/auth/second-factor/second-factors.store.ts'
import { totpSecretOf } from '../../src/auth/second-factor/totp-secrets.store.ts'
import { newTotpSecret, totpCode } from '../../src/auth/second-factor/totp.ts'
import type { Person, TestApp } from './app.ts'
import { type Browser, browserAt, type BrowserPage } from './browser.ts'
import { password } from './sessions.ts'

/** The second factor of a user. */
export interface SecondFactor {
  /** Returns the current code of the authenticator app, or the code `steps` half minutes later. */
  code(steps?: number): string
  readonly recoveryCodes: readonly string[]
}

const halfMinute = 30_000

/** Gives a user a second factor, as if the user had set it up a minute ago. */
export async function withSecondFactor({ ctx }: TestApp, { id }: Pick<Person, 'id'>): Promise<SecondFactor> {
  const secret = newTotpSecret()
  const then = ctx.clock.now() - 2 * halfMinute
  const recoveryCodes = await ctx.transaction(async (tx) => {
    await insertSecondFactor(ctx, tx, id, secret, then)
    if (!(await confirmSecret(ctx, tx, id, totpCode(secret, then), then)))
      throw new Error('The second factor was not confirmed')
    return replaceRecoveryCodes(tx, id)
  })
  return { code: (steps = 0) => totpCode(secret, ctx.clock.now() + steps * halfMinute), recoveryCodes }
}

/** Returns the code of the factor that a user has started or set up: the current one, or that of `steps` half minutes later. */
export async function storedFactorCode({ ctx }: TestApp, { id }: Person, steps = 0): Promise<string> {
  const rows = ctx.db.read.selectFrom('second_factors').selectAll().where('user_id', '=', id)
  return totpCode(
    totpSecretOf(ctx, await rows.executeTakeFirstOrThrow()),
    ctx.clock.now() + steps * halfMinute,
  )
}

/** Signs in with the password and a code. Returns the status of the second step. */
export async function signInWithCode(app: TestApp, person: Person, code: string): Promise<number> {
  const { browser, page } = await afterPassword(app, person)
  return (await browser.submit(page, '/auth/second-step', { code })).status
}

/** Enters the password of a user in a browser. Returns the browser and the next page. */
export async function afterPassword(
  { url }: TestApp,
  { username }: Pick<Person, 'username'>,
  { next = '/healthz', headers = {}, browser = browserAt(url, headers) }: Partial<Way> = {},
): Promise<{ browser: Browser; page: BrowserPage }> {
  const form = await browser.open(`/auth/signin?${new URLSearchParams({ next })}`)
  return { browser, page: await browser.submit(form, '/auth/signin', { username, password }) }
}

interface Way {
  next: string
  headers: Record<string, string>
  browser: Browser
}
