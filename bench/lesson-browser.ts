import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserArguments, browserPath } from '../test/support/browser-program.ts'

/** Chromium for the pages of a lesson. */
export interface LessonBrowser {
  /**
   * Opens a page with an empty cache.
   * @param wanted selects what the user waits for
   * @returns the paths of the requests that the page sends, the page first
   */
  requestsOf(cookie: string, path: string, wanted: string): Promise<string[]>
  /**
   * Grades all works of a grading desk with the keyboard.
   * @param pauseMs from the moment in which a work is shown to its grade
   * @returns the milliseconds from each Enter to the frame that shows the next work
   */
  grade(cookie: string, path: string, pauseMs: number): Promise<number[]>
  close(): Promise<void>
}

/** @param url the address of a server */
export async function startLessonBrowser(url: string): Promise<LessonBrowser> {
  const browser = await chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    args: browserArguments,
  })

  async function inPage<Result>(cookie: string, use: (page: Page) => Promise<Result>): Promise<Result> {
    const context: BrowserContext = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      baseURL: url,
      serviceWorkers: 'block',
      // Otherwise the page refuses the expressions that the browser evaluates while it waits.
      bypassCSP: true,
    })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    try {
      return await use(await context.newPage())
    } finally {
      await context.close()
    }
  }

  return {
    requestsOf: (cookie, path, wanted) =>
      inPage(cookie, async (page) => {
        const paths = new Set<string>()
        page.on('request', (request) => {
          const { origin, pathname, search } = new URL(request.url())
          if (origin === new URL(url).origin && request.method() === 'GET') paths.add(pathname + search)
        })
        await page.goto(path)
        await page.locator(wanted).first().waitFor()
        await page.waitForLoadState('networkidle')
        return [...paths]
      }),
    grade: (cookie, path, pauseMs) =>
      inPage(cookie, async (page) => {
        await page.goto(path)
        await page.locator('.desk-work .sheet svg').first().waitFor()
        const works = await page.locator('.desk-list li').count()
        await page.evaluate(`(${noteMoves})()`)
        for (let graded = 1; graded < works; graded++) {
          await page.waitForFunction(`document.activeElement.id === 'grade'`)
          await page.waitForTimeout(pauseMs)
          await page.keyboard.type('17')
          await page.keyboard.press('Enter')
          await page.waitForFunction(`window.moves.length === ${graded}`)
          process.stderr.write(`\rgraded: ${graded} of ${works}\u001b[K`)
        }
        process.stderr.write('\n')
        return page.evaluate<number[]>('window.moves')
      }),
    close: () => browser.close(),
  }
}

// The text of a function that runs in the page. It notes the time from each Enter to the frame with the music of another work.
const noteMoves = `() => {
  window.moves = []
  let startedAt, before
  const workOf = () => document.querySelector('.desk-work h2').textContent
  addEventListener('keydown', ({ key, timeStamp }) => {
    if (key === 'Enter') [startedAt, before] = [timeStamp, workOf()]
  }, true)
  const look = () => {
    if (startedAt === undefined || workOf() === before || !document.querySelector('.desk-work .sheet svg')) return
    const from = startedAt
    startedAt = undefined
    // The frame after this one shows it.
    requestAnimationFrame(() => requestAnimationFrame(() => window.moves.push(performance.now() - from)))
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}`
