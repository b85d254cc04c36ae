import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { recordingServer } from '../support/recording-server.ts'
import { musicXml } from '../support/scores.ts'

/** A machine may be busy: only what never happens fails. */
const patient = { timeout: 20_000 }

const media = await recordingServer(8)
afterAll(() => media.close())

describeInBrowser('the recordings of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'), { recordingOrigins: media.origin })
  let clara: Person
  let score: string
  const recording = `${media.origin}/recording.wav`

  const open = async (path: string, person?: Person): Promise<Page> => {
    const { page } = await browser.open(person, { baseURL: app.url })
    await page.goto(path)
    return page
  }

  beforeAll(async () => {
    clara = await app.person('clara')
    const data = musicXml({ title: 'Waltz', measures: Array.from({ length: 4 }, () => 'C4 D4 E4 F4') })
    score = (await clara.post('/scores', { data, privacy: 'public' })).body.id
  })

  it('are added and synchronized by the keys of a writer', async () => {
    const page = await open(`/scores/${score}/sync`, clara)
    await page.getByLabel('Address of the recording').fill('nonsense')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Enter an address that begins with https://.').waitFor()
    await page.getByLabel('Address of the recording').fill(recording)
    await page.getByLabel('Name').fill('Clara plays')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const player = page.getByLabel('Player of the recording')
    await player.waitFor()
    const at = (seconds: number) =>
      player.evaluate(
        (element: { currentTime: number; onseeked: unknown }, time) =>
          new Promise((resolve) => {
            element.onseeked = resolve
            element.currentTime = time
          }),
        seconds,
      )
    await expect
      .poll(() => player.evaluate((element: { readyState: number }) => element.readyState), patient)
      .toBeGreaterThan(0)
    await page.getByRole('heading', { level: 1 }).focus()
    await at(1)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Tap: Measure 2' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Tap: Measure 1' }).waitFor()
    await page.locator('rect.sheet-cursor').waitFor()
    for (const seconds of [1, 2, 3.5, 5]) {
      await at(seconds)
      await page.keyboard.press('Space')
    }
    await page.getByRole('button', { name: 'Tap: End of the music' }).focus()
    await at(7)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'All measures are tapped' }).waitFor()
    const second = page.getByLabel('Time of Measure 2 in seconds')
    await second.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => second.inputValue(), patient).toBe('2.02')
    await page.getByRole('button', { name: 'Save the times' }).click()
    await page.getByText('The times are saved.').waitFor()
    const [track] = (await clara.get(`/scores/${score}/tracks`)).body
    expect(track).toMatchObject({ title: 'Clara plays', state: 'completed' })
    expect(track.synchronizationPoints.map(({ time }: { time: number }) => time)).toEqual([
      1, 2.02, 3.5, 5, 7,
    ])
    expect(track.synchronizationPoints.at(-1).type).toBe('end')
  })

  it('are played with the cursor at the measure that is heard', async () => {
    const [track] = (await clara.get(`/scores/${score}/tracks`)).body
    await clara.post(`/scores/${score}/tracks`, {
      url: 'https://youtu.be/dQw4w9WgXcQ',
      title: 'Concert',
      state: 'completed',
    })
    const page = await open(`/scores/${score}`)
    await page.getByRole('button', { name: 'Practise' }).click()
    const link = page.getByRole('link', { name: 'Open “Concert” at its own address' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    await page.getByLabel('Sound', { exact: true }).selectOption('Clara plays')
    const position = page.getByRole('slider', { name: 'Position' })
    await expect.poll(() => position.getAttribute('max'), patient).toBe('7')
    await position.fill('4')
    const marked = () => page.locator('rect.sheet-cursor').getAttribute('data-of')
    expect(await marked()).toBe(track.synchronizationPoints[2].measureUuid)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(async () => Number(await position.inputValue()), patient).toBeGreaterThan(4)
    await expect.poll(marked, patient).toBe(track.synchronizationPoints[3].measureUuid)
    expect(await page.getByRole('link', { name: 'Add and synchronize recordings' }).count()).toBe(0)
  })

  it('that cannot be loaded are named as such', async () => {
    const other = (await clara.post('/scores', { data: musicXml({}), privacy: 'public' })).body.id
    await clara.post(`/scores/${other}/tracks`, { url: `${media.origin}/gone.wav`, state: 'completed' })
    const page = await open(`/scores/${other}/sync`, clara)
    await page.getByText('The recording cannot be played here.').waitFor()
  })

  it('are synchronized by writers only', async () => {
    const page = await open(`/scores/${score}/sync`, await app.person('johannes'))
    await page.getByText('Only those who may change the score').waitFor()
    expect(await page.getByLabel('Address of the recording').count()).toBe(0)
  })
})
