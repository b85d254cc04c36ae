import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { Person } from './app.ts'
import { browserArguments, browserPath, usualBrowsers } from './browser-program.ts'
import { checkBuild } from './built-app.ts'
import { signedIn } from './sessions.ts'

/** Chromium in headless mode. */
export interface TestBrowser {
  /** Opens a page with the session of a user, or without a session. It is closed after the test. */
  open(
    person: Person | undefined,
    options?: BrowserContextOptions,
  ): Promise<{ context: BrowserContext; page: Page }>
  /**
   * Gives a page the session of another user, or none, and an empty storage. A page that is opened costs a process of the
   * browser, which compiles all scripts anew: a test of many pages needs a third of the time if it opens one.
   */
  changeUser(page: Page, person: Person | undefined, url: string): Promise<void>
}

/** Sizes of the window, in pixels. */
export const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const

/**
 * Declares tests in Chromium, at `PARTITA_TEST_BROWSER` or at the usual paths. Without a browser the tests are skipped, and
 * their title says so. A test fails if the browser reports an error: a failed script, or a file that the content security
 * policy has blocked.
 */
export function describeInBrowser(title: string, declare: (browser: TestBrowser) => void): void {
  const skipped = browserPath
    ? ''
    : ` SKIPPED: no browser at PARTITA_TEST_BROWSER or ${usualBrowsers.join(', ')}`
  describe.skipIf(!browserPath)(`${title} (Chromium)${skipped}`, () => declare(useBrowser()))
}

/** Some tests provoke an error status, a failed request or a refused frame on purpose. */
const provoked =
  /with a status of [45]\d\d|net::ERR_(?:FAILED|INTERNET_DISCONNECTED)|Refused to display|^Framing '/

function useBrowser(): TestBrowser {
  let browser: Browser
  let browserErrors: string[] = []
  const opened: BrowserContext[] = []
  const sessions = new Map<string, Promise<[name: string, value: string][]>>()

  beforeAll(async () => {
    checkBuild()
    browser = await chromium.launch({
      ...(browserPath && { executablePath: browserPath }),
      args: browserArguments,
      // Chromium suggests names of files beyond ASCII only in a locale of UTF-8.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((context) => context.close()))
    const errors = browserErrors
    browserErrors = []
    expect(errors).toEqual([])
  })

  async function addSession(context: BrowserContext, person: Person, url: string): Promise<void> {
    const session = sessions.get(person.id) ?? signedIn({ url }, person).then(({ cookies }) => [...cookies])
    sessions.set(person.id, session)
    await context.addCookies((await session).map(([name, value]) => ({ name, value, url })))
  }

  return {
    async open(person, options = {}) {
      const context = await browser.newContext({
        viewport: screens.desktop,
        locale: 'en',
        // A test that intercepts requests would not see those of a service worker.
        serviceWorkers: 'block',
        ...options,
      })
      opened.push(context)
      context.setDefaultTimeout(60_000)
      context.on('weberror', (error) => browserErrors.push(String(error.error())))
      context.on('console', (message) => {
        if (message.type() === 'error' && !provoked.test(message.text())) browserErrors.push(message.text())
      })
      await context.addInitScript(reportViolations)
      if (person && options.baseURL) await addSession(context, person, options.baseURL)
      return { context, page: await context.newPage() }
    },
    async changeUser(page, person, url) {
      await page.evaluate('sessionStorage.clear(); localStorage.clear()')
      await page.context().clearCookies()
      if (person) await addSession(page.context(), person, url)
    },
  }
}

/** Some violations of the policy are only an event, without a message in the console. */
const reportViolations = `addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  console.error('The policy of the page has blocked ' + effectiveDirective + ': ' + blockedURI))`
