import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

const patient = { timeout: 20_000 }

describeInBrowser('the view of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let clara: Person
  let duet: string
  let long: string

  beforeAll(async () => {
    clara = await app.person('clara')
    const add = async (data: string): Promise<string> =>
      (await clara.post('/scores', { data, privacy: 'public' })).body.id
    const measures = Array.from({ length: 8 }, () => 'C4 D4 E4 F4')
    duet = await add(musicXml({ title: 'Duet', measures, parts: ['Flute', 'Clarinet'] }))
    long = await add(musicXml({ measures: Array.from({ length: 200 }, () => 'C4 D4 E4 F4') }))
    // The engine starts with the first page, which takes long on a busy machine.
    await clara.get(`/scores/${duet}/revisions/last/svg`)
  })

  const open = async (score: string, options = {}): Promise<Page> => {
    const { page } = await browser.open(undefined, { baseURL: app.url, ...options })
    await page.goto(`/scores/${score}`)
    await shown(page)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    return page
  }
  const shown = async (page: Page) => {
    await page.locator('.sheet svg').first().waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
  }
  /** The parts that are shown on the first page. */
  const partsOn = (page: Page): Promise<number> =>
    page
      .locator('.sheet svg')
      .first()
      .locator('rect[data-part]')
      .evaluateAll((all) => new Set(all.map((one) => one.getAttribute('data-part'))).size)

  it('has one part or all, which the device remembers for this score', async () => {
    const page = await open(duet)
    expect(await partsOn(page)).toBe(2)
    await page.getByRole('button', { name: 'Show only Clarinet' }).click()
    await expect.poll(() => partsOn(page), patient).toBe(1)
    expect(await page.getByRole('checkbox', { name: 'Flute' }).isChecked()).toBe(false)
    // The player still plays both parts.
    await page.getByRole('button', { name: 'Practise' }).click()
    await page.getByRole('checkbox', { name: 'Mute Flute' }).waitFor()
    await page.reload()
    await shown(page)
    await expect.poll(() => partsOn(page), patient).toBe(1)
    await page.getByRole('button', { name: 'Show as written' }).click()
    await expect.poll(() => partsOn(page), patient).toBe(2)
  })

  it('is in another key for the eye and the ear, at the tempo that the listener has chosen', async () => {
    const page = await open(duet)
    await page.getByRole('button', { name: 'Slower' }).click()
    const loaded = page.waitForResponse((response) => response.url().includes('/midi?transpose=2%2C1'))
    await page.getByLabel('Transpose to the key').selectOption('D major / B minor')
    expect((await loaded).status()).toBe(200)
    expect(await page.getByLabel('Transpose by').inputValue()).toBe('2,1')
    const query = page.waitForResponse((response) => /\/svg\?.*transpose=-4%2C-2/.test(response.url()))
    await page.getByLabel('Transpose by').selectOption('Down: major third')
    expect((await query).status()).toBe(200)
    const concert = page.waitForResponse((response) => /\/svg\?.*concertPitch=true/.test(response.url()))
    await page.getByText('What sounds (concert pitch)').click()
    expect((await concert).status()).toBe(200)
    await page.getByText('You see the score in your own view.').waitFor()
    expect(await page.getByRole('status', { name: 'Tempo' }).textContent()).toBe('95 %')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByText('The files have what you see').waitFor()
    const file = page.waitForResponse((response) => response.url().includes('/xml?'))
    await page.getByRole('button', { name: 'MusicXML (.musicxml)' }).click()
    expect(new URL((await file).url()).searchParams.toString()).toBe('transpose=-4%2C-2&concertPitch=true')
  })

  it('turns pages by keys and at the edges, and follows the music to its page', async () => {
    const page = await open(long)
    await page.getByText('To turn', { exact: true }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    const sheet = page.locator('.sheet.in-pages')
    await sheet.locator('svg').first().waitFor()
    const offset = () => sheet.evaluate((one) => one.scrollLeft)
    expect(await offset()).toBe(0)
    await page.getByRole('button', { name: 'Turn to the next page' }).click()
    await expect.poll(offset, patient).toBeGreaterThan(100)
    await page.keyboard.press('ArrowUp')
    await expect.poll(offset, patient).toBe(0)
    await page.keyboard.press('PageDown')
    await expect.poll(offset, patient).toBeGreaterThan(100)
    await page.keyboard.press('PageUp')
    await expect.poll(offset, patient).toBe(0)
    await page.getByRole('slider', { name: 'Position' }).fill('390')
    await page.locator('rect.sheet-cursor').waitFor()
    await expect.poll(offset, patient).toBeGreaterThan(300)
  })

  it('is one line of music, which scrolls with the music', async () => {
    const page = await open(duet, { viewport: screens.phone })
    await page.getByText('One long line of music').click()
    await page.getByRole('button', { name: 'Close' }).click()
    const line = page.locator('.sheet.in-line svg')
    await line.waitFor()
    const tops = () =>
      line
        .locator('rect[data-measure]')
        .evaluateAll((all) => new Set(all.map((one) => one.getAttribute('y'))).size)
    await expect.poll(tops, patient).toBe(2)
    await page.getByRole('slider', { name: 'Position' }).fill('14')
    await expect
      .poll(() => page.locator('.sheet').evaluate((one) => one.scrollLeft), patient)
      .toBeGreaterThan(50)
  })

  it('is enlarged by two fingers', async () => {
    const page = await open(duet, { viewport: screens.phone, hasTouch: true })
    await page.getByRole('button', { name: 'Close' }).click()
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', gap: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: 190 - gap, y: 420, id: 0 },
                { x: 190 + gap, y: 420, id: 1 },
              ],
      })
    await touch('touchStart', 40)
    await touch('touchMove', 60)
    await touch('touchMove', 80)
    await touch('touchEnd', 0)
    await expect.poll(() => page.getByRole('status', { name: 'Zoom' }).textContent(), patient).toBe('200 %')
  })
})
