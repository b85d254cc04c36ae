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

const appearances = (['desktop', 'phone'] as const).flatMap((screen) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ screen, colorScheme })),
)

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
    for (const { name, as, open } of pages) {
      const { context, page } = await browser.open(as, { baseURL: app.url, reducedMotion: 'reduce' })
      await open(page)
      await page.locator('h1').waitFor()
      const shown = matchPath(new URL(page.url()).pathname)
      if (shown) visited.add(shown.address)
      await page.evaluate(axe.source)
      for (const { screen, colorScheme } of appearances) {
        const { width } = screens[screen]
        await page.setViewportSize(screens[screen])
        await page.emulateMedia({ colorScheme })
        const appearance = `${name}-${screen}-${colorScheme}`
        problems.push(...(await findingsOn(page)).map((finding) => `${appearance}: ${finding}`))
        const contentWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (contentWidth > width) problems.push(`${appearance}: ${contentWidth} pixels wide`)
        if (pictures) await page.screenshot({ path: join(pictures, `${appearance}.png`), fullPage: true })
      }
      await context.close()
    }
    expect(problems).toEqual([])
    // A page of the browser app that no state in test/support/pages.ts opens is not checked.
    expect(appAddresses.filter((address) => !visited.has(address))).toEqual([])
  })
})

/** Returns the findings that axe rates as serious or critical. */
async function findingsOn(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })")
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}
