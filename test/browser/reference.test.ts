import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import axe, { type AxeResults } from 'axe-core'
import { useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'

/** A transition begins with the next frame, and a newer one replaces it. */
const endOfTransitions = `(async () => {
  const nextFrame = () => new Promise(requestAnimationFrame)
  await nextFrame()
  await nextFrame()
  for (let running; (running = document.getAnimations()).length > 0; )
    await Promise.allSettled(running.map((one) => one.finished))
})()`

describeInBrowser('/docs', (browser) => {
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' })

  /** Opens the page at an operation, and returns its part of the page. */
  async function openOperation(page: Page, tag: string, operation: string): Promise<Locator> {
    await page.goto(`${app.url}/docs#/${tag}/${operation}`)
    const part = page.locator(`#operations-${tag}-${operation}`)
    await part.getByRole('group', { name: 'Example request' }).waitFor()
    return part
  }

  it('shows an example of each operation in three languages, and keeps the choice', async () => {
    const { page } = await browser.open(undefined)
    const part = await openOperation(page, 'Score', 'createScore')
    const code = part.getByRole('region', { name: 'Example for' })
    expect(await code.textContent()).toContain(`curl -X POST '${app.url}/v2/scores'`)
    await part.getByRole('radio', { name: 'Python' }).click()
    expect(await code.textContent()).toContain('import urllib.request')

    await page.locator('#operations-Score-getScore').getByRole('button').first().click()
    const other = page.locator('#operations-Score-getScore')
    expect(await other.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true)
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await browser.open(undefined)
    const part = await openOperation(page, 'Class', 'createClass')
    await part.getByRole('radio', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await part.getByRole('radio', { name: 'JavaScript' }).isChecked()).toBe(true)
    const focused = (name: string) => part.locator(':focus').and(part.getByRole('button', { name }))
    await page.keyboard.press('Tab')
    expect(await focused('Copy the example for JavaScript').count()).toBe(1)
    await page.keyboard.press('Tab')
    expect(
      await part.getByRole('region', { name: 'Example for JavaScript' }).locator(':scope:focus').count(),
    ).toBe(1)
  })

  it('copies the example and says so', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await browser.open(undefined, { permissions })
    const part = await openOperation(page, 'Class', 'createClass')
    await part.getByRole('button', { name: 'Copy the example for curl' }).click()
    await part.getByRole('status').getByText('Copied').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await part.getByRole('region', { name: 'Example for curl' }).textContent())
  })

  it('selects the example if the browser does not let the page copy', async () => {
    const { page } = await browser.open(undefined)
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    const part = await openOperation(page, 'Class', 'createClass')
    await part.getByRole('button', { name: 'Copy the example for curl' }).click()
    await part.getByRole('status').getByText('Selected').waitFor()
    const selected = await page.evaluate<string>('getSelection().toString()')
    expect(selected).toBe(await part.getByRole('region', { name: 'Example for curl' }).textContent())
  })

  it('has examples without serious findings of axe that fit the window, light and dark, on a phone and on a desktop', async () => {
    const problems: string[] = []
    const { page } = await browser.open(undefined)
    const part = await openOperation(page, 'Class', 'createClass')
    await page.evaluate(`${axe.source}; undefined`)
    for (const [screen, viewport] of Object.entries(screens)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // The buttons of the reference change their colors gradually.
        await page.evaluate(endOfTransitions)
        const { violations } = await page.evaluate<AxeResults>(`axe.run('.code-samples')`)
        problems.push(...violations.map(({ id, help }) => `${screen} ${colorScheme}: ${id}: ${help}`))
        const box = await part.locator('.code-samples').boundingBox()
        if (!box || box.x < 0 || box.x + box.width > viewport.width)
          problems.push(`${screen} ${colorScheme}: the examples do not fit`)
        const folder = process.env.PARTITA_SCREENSHOTS
        if (folder) await page.screenshot({ path: `${folder}/reference-${screen}-${colorScheme}.png` })
      }
    }
    expect(problems).toEqual([])
  })
})
