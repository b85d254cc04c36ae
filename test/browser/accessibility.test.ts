import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type AppAddress, appAddresses, matchPath } from '../../src/contract/app-pages.ts'
import { useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { pageStates, type PageState } from '../support/pages.ts'

/** The folder for screenshots of all pages. Without it the test takes no screenshots. */
const pictures = process.env.PARTITA_SCREENSHOTS

describeInBrowser('every page', (browser) => {
  const app = useApp(usingDatabases('sqlite'), {
    host: 'localhost',
    signUp: 'true',
    smtpUrl: 'smtp://127.0.0.1:1',
  })
  let pages: readonly PageState[]

  beforeAll(async () => {
    pages = await pageStates(app)
    if (pictures) await mkdir(pictures, { recursive: true })
  })

  it('has no serious findings of axe and fits the window, light and dark, on a phone and on a desktop', {
    timeout: 600_000,
  }, async () => {
    const problems: string[] = []
    const visited = new Set<AppAddress>()
    const { page } = await browser.open(undefined, { baseURL: app.url, reducedMotion: 'reduce' })
    await page.goto('/healthz')
    for (const { name, as, open } of pages) {
      await browser.changeUser(page, as, app.url)
      await page.setViewportSize(screens.desktop)
      await page.emulateMedia({ colorScheme: 'light' })
      await open(page)
      await page.locator('h1').waitFor()
      const shown = matchPath(new URL(page.url()).pathname)
      if (shown) visited.add(shown.address)
      await page.evaluate(addAxe)
      for (const screen of ['desktop', 'phone'] as const) {
        await page.setViewportSize(screens[screen])
        let found: Checked
        // A page of a score is loaded when the window gets near it, and can come between the two checks.
        for (let attempt = 1; ; attempt++) {
          found = await checkBothSchemes(page, `${name}-${screen}`)
          if (found.isSteady) break
          if (attempt === 4) {
            problems.push(`${name}-${screen}: shows other elements in dark than in light`)
            break
          }
        }
        problems.push(...found.problems)
        if (found.width > screens[screen].width)
          problems.push(`${name}-${screen}: ${found.width} pixels wide`)
      }
    }
    expect(problems).toEqual([])
    // A page of the browser app that no state in test/support/pages.ts opens is not checked.
    expect(appAddresses.filter((address) => !visited.has(address))).toEqual([])
  })
})

/** Without a value at its end, the browser would send the whole library back. */
const addAxe = `${axe.source}; undefined`

/** The rules whose result depends on colors. The color scheme changes nothing else, which the test checks. */
const colorRules = ['color-contrast', 'link-in-text-block']

interface Layout {
  /** The width of the content in pixels. */
  readonly width: number
  /** One digit for each element: whether it is shown. */
  readonly visible: string
}

const layout = `({
  width: document.documentElement.scrollWidth,
  visible: Array.from(document.body.querySelectorAll('*'), (one) => Number(one.checkVisibility())).join(''),
})`

/** The browser draws no sheet below the window, and a picture of the whole page has one. */
const drawSheets = `for (const { style } of document.querySelectorAll('.sheet-page')) style.contentVisibility = 'visible'`

/** What was found on a page in one size of the window. */
interface Checked {
  readonly problems: readonly string[]
  /** The larger of the widths in light and in dark, in pixels. */
  readonly width: number
  /** Whether the page showed the same elements in light and in dark. */
  readonly isSteady: boolean
}

async function checkBothSchemes(page: Page, name: string): Promise<Checked> {
  const problems: string[] = []
  const layouts: Layout[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const appearance = `${name}-${colorScheme}`
    const rules = colorScheme === 'dark' ? colorRules : undefined
    problems.push(...(await findingsOn(page, rules)).map((finding) => `${appearance}: ${finding}`))
    layouts.push(await page.evaluate<Layout>(layout))
    if (pictures) {
      await page.evaluate(drawSheets)
      await page.screenshot({ path: join(pictures, `${appearance}.png`), fullPage: true })
    }
  }
  const [light, dark] = layouts
  return {
    problems,
    width: Math.max(...layouts.map(({ width }) => width)),
    isSteady: light?.visible === dark?.visible,
  }
}

/** Returns the findings that axe rates as serious or critical. Without `rules`, all rules are checked. */
async function findingsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Axe would also look for a selector of each element, which takes half of its time.
  const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}
