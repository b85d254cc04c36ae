import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { base64, musicXml } from '../support/scores.ts'

const repeat = '<barline location="right"><repeat direction="backward"/></barline>'
/** Six measures of 4/4 at 240 a minute, a second each. The first two are repeated. */
const etude = musicXml({
  title: 'Étude',
  composer: 'Clara',
  measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4', 'C4 E4 G4 E4', 'D4 F4 A4 F4', 'C4 G4 E4 C4'],
  parts: ['Violin', 'Piano'],
})
  .replaceAll('<measure number="1">', '<measure number="1"><sound tempo="240"/>')
  .replaceAll(/(<measure number="2">.*?)(<\/measure>)/gs, `$1${repeat}$2`)

/** A machine may be busy: only what never happens fails. */
const patient = { timeout: 20_000 }

describeInBrowser('the page of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let clara: Person
  let published: string

  const add = async (file: Buffer | string, privacy = 'public'): Promise<string> => {
    const { body } = await clara.post('/scores', { data: base64(file), dataEncoding: 'base64', privacy })
    return body.id
  }
  const open = async (path: string, person?: Person, options = {}): Promise<Page> => {
    const { page } = await browser.open(person, { baseURL: app.url, ...options })
    await page.goto(path)
    return page
  }
  const firstPage = (page: Page) => page.getByRole('img', { name: /^Page 1 of/ }).locator('svg')
  const shown = async (page: Page) => {
    await firstPage(page).waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
  }
  const measureOf = async (page: Page): Promise<number> => {
    const text = await page.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext')
    return Number(/Measure (\d+)/.exec(text ?? '')?.[1])
  }
  const secondsOf = async (page: Page): Promise<number> =>
    Number(await page.getByRole('slider', { name: 'Position' }).inputValue())

  beforeAll(async () => {
    clara = await app.person('clara')
    published = await add(etude)
  })

  describe('for a visitor without an account', () => {
    it('shows title, credits and pages of a public score', async () => {
      const page = await open(`/scores/${published}`)
      await page.getByRole('heading', { level: 1, name: 'Étude' }).waitFor()
      await page.getByText('Composer: Clara').waitFor()
      await shown(page)
      expect(await firstPage(page).locator('rect[data-measure]').count()).toBe(12)
      expect(await page.title()).toBe('Étude – Partita')
    })

    it('opens a score by the key of its link, and no private one', async () => {
      const hidden = await add(etude, 'privateLink')
      const { sharingKey } = (await clara.get(`/scores/${hidden}`)).body
      const page = await open(`/scores/${hidden}?sharingKey=${sharingKey}`)
      await shown(page)
      await page.goto(`/scores/${hidden}`)
      await page.getByRole('heading', { level: 1, name: 'Score not found' }).waitFor()
      await page.goto(`/scores/${await add(etude, 'private')}`)
      await page.getByRole('heading', { level: 1, name: 'Score not found' }).waitFor()
    })
  })

  describe('the player', () => {
    /** The measures of the score in the order of playing, with the seconds at which they begin. */
    const played = async () => {
      const { bytes } = await clara.get(`/scores/${published}/revisions/last/synchronizationPoints`)
      return JSON.parse(Buffer.from(bytes).toString()) as { measureUuid?: string; time: number }[]
    }
    const marked = (page: Page) => page.locator('rect.sheet-cursor').getAttribute('data-of')
    const level = async (page: Page) => Number(await page.getByRole('meter').getAttribute('value'))

    it('is silent until it is asked to play, and then sounds', async () => {
      const { page } = await browser.open(undefined, { baseURL: app.url })
      await page.addInitScript(`
        window.contexts = 0
        window.AudioContext = class extends AudioContext { constructor(...options) { super(...options); contexts++ } }`)
      await page.goto(`/scores/${published}`)
      await shown(page)
      expect(await page.evaluate('contexts')).toBe(0)
      await page.getByRole('button', { name: 'Practise' }).click()
      await page.getByRole('button', { name: 'Play' }).click()
      await expect.poll(() => level(page), patient).toBeGreaterThan(20)
      await page.getByRole('checkbox', { name: 'Mute Violin' }).check()
      await page.getByRole('checkbox', { name: 'Mute Piano' }).check()
      await expect.poll(() => level(page), patient).toBe(0)
      await page.getByRole('checkbox', { name: 'Play only Piano' }).check()
      await page.getByRole('checkbox', { name: 'Mute Piano' }).uncheck()
      await page.getByRole('slider', { name: 'Position' }).fill('0')
      await expect.poll(() => level(page), patient).toBeGreaterThan(20)
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Play' }).waitFor()
    })

    it('marks the measure that sounds at each time, with repeats', async () => {
      const points = await played()
      expect(points).toHaveLength(9)
      const page = await open(`/scores/${published}`)
      await shown(page)
      const position = page.getByRole('slider', { name: 'Position' })
      for (const seconds of ['0', '0.9', '1.1', '2.5', '3.5', '4.2', '7.9', '5', '1']) {
        await position.fill(seconds)
        const expected = points.findLast(({ time, measureUuid }) => measureUuid && time <= Number(seconds))
        expect([seconds, await marked(page)]).toEqual([seconds, expected?.measureUuid])
      }
    })

    it('follows the music while it plays', async () => {
      const points = await played()
      const page = await open(`/scores/${published}`)
      await shown(page)
      await page.getByRole('button', { name: 'Play' }).click()
      const seen: string[] = []
      while (seen.length < 4) {
        const uuid = (await marked(page)) ?? ''
        if (uuid !== seen.at(-1)) seen.push(uuid)
      }
      // Measures that were too short for a look can be missing.
      const order = points.map(({ measureUuid }) => measureUuid)
      let at = -1
      for (const uuid of seen) {
        at = order.indexOf(uuid, at + 1)
        expect(at).toBeGreaterThanOrEqual(0)
      }
    })

    it('starts at a measure that was clicked', async () => {
      const page = await open(`/scores/${published}`)
      await shown(page)
      const last = (await played()).at(-2)
      const box = page.locator(`rect[data-measure="${last?.measureUuid}"]`).first()
      await box.click({ position: { x: 5, y: 5 } })
      await expect.poll(async () => [await measureOf(page), await secondsOf(page)]).toEqual([6, 7])
    })

    it('lights up the notes that sound, and starts at a note that was clicked', async () => {
      const page = await open(`/scores/${published}`)
      await shown(page)
      const { bytes } = await clara.get(`/scores/${published}/revisions/last/noteTimes`)
      const { measures, parts } = JSON.parse(Buffer.from(bytes).toString()) as {
        measures: string[]
        parts: { uuid: string; notes: [number, number, number, [number, number]][] }[]
      }
      const lit = () =>
        page.locator('.is-sounding').evaluateAll((all) => all.map((one) => one.getAttribute('data-note')))
      expect(await lit()).toEqual([])
      for (const seconds of [0.6, 1.3, 2.1, 5.8, 7.9]) {
        await page.getByRole('slider', { name: 'Position' }).fill(String(seconds))
        const at = Number(await secondsOf(page))
        const expected = parts.flatMap(({ uuid, notes }) =>
          notes
            .filter(([start, end]) => start <= at && at < end)
            .map(([, , , [measure, index]]) => `${measures[measure]}-${uuid}-${index}`),
        )
        expect(expected).toHaveLength(2)
        expect((await lit()).sort()).toEqual(expected.sort())
      }
      const third = `${measures[2]}-${parts[0]?.uuid}-1`
      await page.locator(`[data-note="${third}"]`).first().click()
      expect([await measureOf(page), await secondsOf(page)]).toEqual([3, 4.3])
    })

    it('repeats the measures over which the mouse was dragged, and counts as a play', async () => {
      const plays = async (): Promise<number> => {
        await app.ctx.writeBehind.flush()
        return (await clara.get(`/scores/${published}`)).body.plays.total
      }
      const playsBefore = await plays()
      const page = await open(`/scores/${published}`, await app.person('fanny'))
      await shown(page)
      const points = await played()
      const centre = async (index: number) => {
        const rect = page.locator(`rect[data-measure="${points[index]?.measureUuid}"]`).first()
        const { x, y, width, height } = (await rect.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
        return [x + width / 2, y + height / 2] as const
      }
      // The third and the fourth measure follow the two repeated ones.
      await page.mouse.move(...(await centre(4)))
      await page.mouse.down()
      await page.mouse.move(...(await centre(5)))
      await page.mouse.up()
      await page.getByRole('button', { name: 'Practise' }).click()
      expect(await page.getByRole('spinbutton', { name: 'From measure' }).inputValue()).toBe('3')
      expect(await page.getByRole('spinbutton', { name: 'to', exact: true }).inputValue()).toBe('4')
      expect(await page.getByRole('checkbox', { name: 'Repeat', exact: true }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Play' }).click()
      await expect.poll(() => measureOf(page), patient).toBe(4)
      await expect.poll(() => measureOf(page), patient).toBe(3)
      await page.getByRole('checkbox', { name: 'Repeat', exact: true }).uncheck()
      await expect.poll(() => measureOf(page), patient).toBe(6)
      await expect.poll(plays, patient).toBe(playsBefore + 1)
      // The home offers what was played on this device.
      await page.goto('/')
      const shelf = page.getByRole('region', { name: 'Continue practising' })
      await shelf.getByRole('link', { name: /By clara/ }).waitFor()
    })

    it('is worked by keys alone', async () => {
      const page = await open(`/scores/${published}`)
      await shown(page)
      const tempo = page.getByRole('status', { name: 'Tempo' })
      // The keys are active shortly after the player is there.
      const slower = async () => {
        await page.keyboard.press(',')
        return tempo.textContent()
      }
      await expect.poll(slower, patient).toBe('20 %')
      for (let press = 0; press < 8; press++) await page.keyboard.press('.')
      await expect.poll(() => tempo.textContent(), patient).toBe('60 %')
      for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight')
      await expect.poll(() => measureOf(page), patient).toBe(3)
      await page.keyboard.press('[')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press(']')
      const looped = page.locator('rect.sheet-loop')
      await expect.poll(() => looped.count(), patient).toBe(2)
      await page.keyboard.press('l')
      await expect.poll(() => looped.count(), patient).toBe(0)
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => measureOf(page), patient).toBe(3)
      await page.keyboard.press('m')
      const metronome = page.getByRole('button', { name: 'Metronome' })
      await expect.poll(() => metronome.getAttribute('aria-pressed'), patient).toBe('true')
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await expect.poll(() => measureOf(page), patient).toBeGreaterThan(3)
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Play' }).waitFor()
    })

    it('plays a recording if the browser has no worklets', async () => {
      const { page } = await browser.open(undefined, { baseURL: app.url })
      await page.addInitScript('delete window.AudioWorkletNode')
      await page.goto(`/scores/${published}`)
      await shown(page)
      await page.getByRole('button', { name: 'Play' }).click()
      await expect.poll(() => secondsOf(page), patient).toBeGreaterThan(0.3)
    })
  })

  it('is downloaded in the formats that musicians use', async () => {
    const page = await open(`/scores/${published}`)
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByLabel('Paper of the PDF').selectOption('Letter')
    for (const [name, file] of [
      ['MusicXML, compressed (.mxl)', 'Étude.mxl'],
      ['MIDI (.mid)', 'Étude.mid'],
      ['Sheet music (.pdf)', 'Étude.pdf'],
    ] as const) {
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      expect(saved.suggestedFilename()).toBe(file)
      if (file.endsWith('pdf'))
        expect(await readFile(await saved.path(), 'latin1')).toMatch(/MediaBox ?\[ ?0 0 61[12]/)
    }
  })

  it('is downloaded as a recording that a task makes, with its progress', async () => {
    const page = await open(`/scores/${published}`, clara)
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('button', { name: 'Recording (.mp3)' }).waitFor()
    let answer: { state: string; progress?: object; result?: object } | undefined = {
      state: 'doing',
      progress: { percent: 40 },
    }
    await page.route('**/v2/tasks/*', (route) =>
      answer ? route.fulfill({ json: answer }) : route.continue(),
    )
    const wav = page.getByRole('button', { name: 'Recording, uncompressed (.wav)' })
    const progress = page.getByRole('progressbar', { name: 'The file is being made …' })
    await wav.click()
    await page.getByText('40%').waitFor()
    expect(await progress.getAttribute('value')).toBe('40')
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await progress.waitFor({ state: 'detached' })
    answer = { state: 'error', result: { error: 'no sound' } }
    await wav.click()
    await page.getByText('The server could not make the file.').waitFor()
    answer = undefined
    const [saved] = await Promise.all([page.waitForEvent('download'), wav.click()])
    expect(saved.suggestedFilename()).toBe('Étude.wav')
    expect(await readFile(await saved.path(), 'latin1')).toMatch(/^RIFF/)
    const visitor = await open(`/scores/${published}`)
    await visitor.getByRole('button', { name: 'Download' }).click()
    await visitor.getByRole('button', { name: 'Recording (.mp3)' }).waitFor()
    expect(await visitor.getByRole('button', { name: /wav/ }).count()).toBe(0)
  })

  it('has details, which whoever may write the score can change', async () => {
    const edited = await add(etude)
    const page = await open(`/scores/${edited}`, clara)
    await shown(page)
    await page.getByRole('button', { name: 'Details' }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByText('Violin, Piano').waitFor()
    await panel.getByRole('button', { name: 'Edit' }).click()
    await panel.getByLabel('Composer').fill('Clara Schumann')
    await panel.getByLabel('Description').fill('Slow first.')
    await panel.getByLabel('Tags').fill('study left-hand')
    await panel.getByLabel('Licence', { exact: true }).selectOption('CC BY-SA')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('A tag has other characters').waitFor()
    await panel.getByLabel('Tags').fill('study, #left')
    await page.route(`**/v2/scores/${edited}`, (route) => route.abort(), { times: 1 })
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByRole('alert').filter({ hasText: /./ }).waitFor()
    expect(await panel.getByLabel('Composer').inputValue()).toBe('Clara Schumann')
    const checked = page.waitForResponse((response) => response.url().endsWith('/revisions/last'), patient)
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Composer: Clara Schumann').waitFor()
    // The saved credits are a new revision, which the page shows already.
    expect((await checked).status()).toBe(200)
    await panel.getByText('study, left').waitFor()
    await panel.getByText('CC BY-SA').waitFor()
    expect((await clara.get(`/scores/${edited}`)).body).toMatchObject({
      composer: 'Clara Schumann',
      description: 'Slow first.',
      license: 'cc-by-sa',
      tags: ['study', 'left'],
    })
    const reader = await open(`/scores/${edited}`, await app.person('felix'))
    await reader.getByRole('button', { name: 'Details' }).click()
    await reader.getByText('Slow first.').waitFor()
    expect(await reader.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await reader.getByRole('link', { name: 'History' }).waitFor()
    const newer = page.getByText('There is a new version')
    expect(await newer.count()).toBe(0)
    await clara.post(`/scores/${edited}/revisions`, { data: musicXml({ title: 'Étude' }) })
    await newer.waitFor()
  })

  it('is liked by a signed-in reader, and not by a visitor', async () => {
    const page = await open(`/scores/${published}`, await app.person('johannes'))
    const like = page.getByRole('button', { name: /^Like/ })
    await like.click()
    await page.getByRole('button', { name: 'Like 1' }).waitFor()
    expect(await like.getAttribute('aria-pressed')).toBe('true')
    expect((await clara.get(`/scores/${published}`)).body.likes.total).toBe(1)
    await like.click()
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor()
    const visitor = await open(`/scores/${published}`)
    await visitor.getByRole('button', { name: 'Download' }).waitFor()
    expect(await visitor.getByRole('button', { name: /^Like/ }).count()).toBe(0)
  })

  it('is read in the size and on the paper that the reader likes', async () => {
    const page = await open(`/scores/${published}`, undefined, { colorScheme: 'dark' })
    await shown(page)
    const width = async () => (await firstPage(page).boundingBox())?.width ?? 0
    const fitting = await width()
    await page.keyboard.press('+')
    await expect.poll(width, patient).toBeGreaterThan(fitting)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.keyboard.press('-')
    await expect.poll(width, patient).toBeLessThan(fitting)
    const background = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.sheet-page')).backgroundColor")
    expect(await background()).toBe('rgb(31, 29, 26)')
    await page.getByRole('button', { name: 'Paper stays white in dark mode' }).click()
    expect(await background()).toBe('rgb(255, 255, 255)')
    await page.reload()
    await shown(page)
    expect(await background()).toBe('rgb(255, 255, 255)')
    expect(await page.getByRole('status', { name: 'Zoom' }).textContent()).toBe('90 %')
  })

  it('loads the pages of a long score when the reader comes near them', async () => {
    const long = await add(musicXml({ measures: Array.from({ length: 300 }, () => 'C4 D4 E4 F4') }))
    const page = await open(`/scores/${long}`, undefined, { viewport: screens.phone })
    await shown(page)
    const pages = page.getByRole('img', { name: /^Page \d+ of/ })
    const count = await pages.count()
    expect(count).toBeGreaterThan(3)
    expect(await pages.last().locator('svg').count()).toBe(0)
    await pages.last().scrollIntoViewIfNeeded()
    await pages.last().locator('svg').waitFor()
    // A jump to a measure that was not loaded loads it.
    await page.getByRole('slider', { name: 'Position' }).fill('300')
    await page.locator('rect.sheet-cursor').waitFor()
    expect(await measureOf(page)).toBe(151)
  })
})
