import type { Person, TestApp } from './app.ts'
import { type Browser, browserAt } from './browser.ts'

/** The password of every test user (test/support/app.ts). */
export const password = 'correct horse'

/** Returns a browser in which this user is signed in. */
export async function signedIn({ url }: Pick<TestApp, 'url'>, { username }: Person): Promise<Browser> {
  const browser = browserAt(url)
  await browser.submit(await browser.open('/auth/signin?next=/healthz'), '/auth/signin', {
    username,
    password,
  })
  if (!browser.cookies.has('partita_session')) throw new Error(`${username} was not signed in`)
  return browser
}

/** Creates a user and a browser in which the user is signed in. */
export async function newSignedInUser(
  app: TestApp,
  username: string,
  about: { email?: string } = {},
): Promise<{ person: Person; browser: Browser }> {
  const person = await app.person(username, about)
  return { person, browser: await signedIn(app, person) }
}
