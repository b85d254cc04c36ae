import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

/** A machine may be busy: only what never happens fails. */
const patient = { timeout: 20_000 }

describeInBrowser('practising on the page of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let clara: Person
  let duet: string
  let page: Page

  const open = async (path: string, person?: Person, options = {}): Promise<Page> => {
    const { page } = await browser.open(person, { baseURL: app.url, ...options })
    await page.goto(path)
    await page
      .getByRole('img', { name: /^Page 1 of/ })
      .locator('svg')
      .waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    return page
  }

  beforeAll(async () => {
    clara = await app.person('clara')
    const measures = Array.from({ length: 120 }, () => 'C4 D4 E4 F4')
    const data = musicXml({ title: 'Duet', measures, parts: ['Violin', 'Piano'] })
    duet = (await clara.post('/scores', { data, privacy: 'public' })).body.id
    // The first page of an engine that has just started takes long on a busy machine.
    for (const options of ['', '?staffSize=10'])
      await clara.get(`/scores/${duet}/revisions/last/svg${options}`)
  })

  describe('a reader who does not see the page', () => {
    it('hears each measure of each part by keys alone', async () => {
      page = await open(`/scores/${duet}`, undefined, { viewport: screens.phone })
      const reading = page.getByRole('button', { name: 'Read measures as text' })
      await reading.focus()
      await page.keyboard.press('Enter')
      const slider = page.getByRole('slider', { name: 'Measure to read' })
      await slider.focus()
      const spoken = () => slider.getAttribute('aria-valuetext')
      const notes = 'C4 quarter, D4 quarter, E4 quarter, F4 quarter.'
      await expect.poll(spoken, patient).toContain(`Violin: `)
      await page.keyboard.press('ArrowRight')
      await expect.poll(spoken, patient).toBe(`Measure 2. Violin: ${notes} Piano: ${notes}`)
      await page.keyboard.press('ArrowDown')
      await expect.poll(spoken, patient).toBe(`Measure 2. ${notes}`)
      expect(await page.getByLabel('Part to read').inputValue()).toBe('0')
      await page.keyboard.press('End')
      await expect.poll(spoken, patient).toBe(`Measure 120. ${notes}`)
      await page.keyboard.press('ArrowUp')
      await expect.poll(spoken, patient).toContain('Piano: ')
    })

    it('hears the measures during playback only on request', async () => {
      page = await open(`/scores/${duet}`, undefined, { viewport: screens.phone })
      const live = page.locator('.reader [aria-live]')
      await page.getByRole('button', { name: 'Read measures as text' }).click()
      await page.getByRole('button', { name: 'Play' }).click()
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      expect(await live.textContent()).toBe('')
      await page.getByRole('checkbox', { name: 'Announce measures during playback' }).check()
      await expect.poll(() => live.textContent(), patient).toMatch(/^Measure \d+\. Violin: /)
    })
  })

  it('large print makes the staves on the pages larger', async () => {
    page = await open(`/scores/${duet}`, undefined, { viewport: screens.desktop })
    const pages = () => page.getByRole('img', { name: /^Page 1 of/ }).getAttribute('aria-label')
    const usual = await pages()
    await page.getByRole('button', { name: 'Large print' }).click()
    await expect.poll(pages, patient).not.toBe(usual)
  })

  describe('at a desk', () => {
    beforeEach(async () => {
      page = await open(`/scores/${duet}`, undefined, { viewport: screens.desktop })
    })

    it('loads the synthesizer and the sounds before the first press of play', async () => {
      const loaded = () =>
        page.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)')
      await expect.poll(loaded, patient).toContainEqual(expect.stringMatching(/synth\.worklet-.*\.js$/))
      await expect.poll(loaded, patient).toContainEqual(`${app.url}/sounds/0-40.sf3`)
    })

    it('lets a note sound that is clicked, and goes to it', async () => {
      const note = page.locator('[data-note]').nth(6)
      await note.dispatchEvent('click')
      await expect
        .poll(() => page.getByRole('slider', { name: 'Position' }).inputValue(), patient)
        .not.toBe('0')
      expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(1)
    })

    it('makes the part of the reader louder than the others with one control', async () => {
      const levels = () =>
        Promise.all(
          ['Violin', 'Piano'].map((part) =>
            page.getByRole('slider', { name: `Volume of ${part}` }).inputValue(),
          ),
        )
      await page.getByRole('button', { name: 'Practise' }).click()
      await page.getByLabel('My part louder').selectOption('Piano')
      expect(await levels()).toEqual(['0.5', '1.3'])
      await page.getByLabel('My part louder').selectOption('No part')
      expect(await levels()).toEqual(['1', '1'])
    })

    it('leaves Space to the control that has the focus', async () => {
      await page.getByRole('button', { name: 'Practise' }).click()
      const metronome = page.getByRole('checkbox', { name: 'Metronome' })
      await metronome.focus()
      await page.keyboard.press('Space')
      expect(await metronome.isChecked()).toBe(true)
      expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
    })

    it('turns pages with the keys that pedals send', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const top = () => page.evaluate<number>('scrollY')
      const before = await top()
      await page.locator('body').press('PageDown')
      await expect.poll(top, patient).toBeGreaterThan(before)
      const turned = await top()
      await page.keyboard.press('PageDown')
      await expect.poll(top, patient).toBeGreaterThan(turned)
      const twice = await top()
      await page.keyboard.press('PageUp')
      await expect.poll(top, patient).toBeLessThan(twice)
    })
  })
})
