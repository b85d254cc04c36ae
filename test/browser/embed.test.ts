import { afterAll, beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import {
  type EmbeddingPage,
  type EmbeddingSite,
  embeddingPage,
  embeddingSite,
} from '../support/embedding-site.ts'
import { musicXml } from '../support/scores.ts'

/** Four measures of 4/4 for two parts. */
const duo = musicXml({
  title: 'Duo',
  composer: 'Clara',
  measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4', 'D4 F4 A4 F4'],
  parts: ['Violin', 'Piano'],
})

const patient = { timeout: 20_000 }

describeInBrowser('an embed, driven by the unmodified client', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let site: EmbeddingSite
  let score: string

  beforeAll(async () => {
    site = await embeddingSite()
    const clara = await app.person('clara')
    score = (await clara.post('/scores', { data: duo, privacy: 'public' })).body.id
  })
  afterAll(() => site?.close())

  const visit = async (): Promise<EmbeddingPage> => {
    const { page } = await browser.open(undefined)
    return embeddingPage(page, site, `${app.url}/embed`)
  }
  const names = async (page: EmbeddingPage) => (await page.heard()).map(([event]) => event)

  it('gets ready, shows a public score, plays it, and tells what happens', async () => {
    const page = await visit()
    const events = ['scoreLoaded', 'embedSize', 'play', 'playbackPosition', 'pause', 'cursorPosition']
    await page.show({ score }, events)
    await page.call('ready')
    expect(await page.call('getNbMeasures')).toBe(4)
    expect(await page.call('getFlatScoreMetadata')).toMatchObject({ id: score, title: 'Duo' })
    await expect.poll(() => names(page), patient).toContain('scoreLoaded')
    await page.call('play')
    const started = ['play', 'playbackPosition', 'cursorPosition', 'embedSize']
    await expect.poll(() => names(page), patient).toEqual(expect.arrayContaining(started))
    await page.call('pause')
    await expect.poll(() => names(page), patient).toContain('pause')
  })
})
