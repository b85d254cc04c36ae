import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

const patient = { timeout: 20_000 }

describeInBrowser('the history of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let clara: Person
  let score: string

  beforeAll(async () => {
    clara = await app.person('clara')
    const xml = (...measures: string[]) => musicXml({ title: 'Walk', measures })
    const data = xml('C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4')
    score = (await clara.post('/scores', { data, privacy: 'public' })).body.id
    await clara.post(`/scores/${score}/revisions`, {
      data: xml('C4 D4 E4 F4', 'G4 F4 E4 C4', 'C4 E4 G4 E4', 'C4 C4 C4 C4'),
      description: 'A longer end',
    })
    // The engine starts with the first page, which takes long on a busy machine.
    await clara.get(`/scores/${score}/revisions/last/svg`)
  })

  const open = async (person: Person): Promise<Page> => {
    const { page } = await browser.open(person, { baseURL: app.url })
    await page.goto(`/scores/${score}`)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { level: 1, name: 'History of Walk' }).waitFor()
    await page.locator('.sheet svg').first().waitFor()
    return page
  }
  const measuresOf = async (): Promise<number> => (await clara.get(`/scores/${score}`)).body.numberMeasures

  it('shows revisions, says what changed between two, and colours it', async () => {
    const page = await open(clara)
    await page.getByRole('button', { name: 'A longer end' }).waitFor()
    await page.getByLabel('Compare with').selectOption({ index: 1 })
    await page.getByText('Measures: 1 changed, 1 new, 0 gone').waitFor()
    await page.getByText('Measure 2, Piano: notes new: 1, gone: 1').waitFor()
    await page.getByText('Measure 4 is new.').waitFor()
    await expect.poll(() => page.locator('rect.sheet-coloured').count(), patient).toBe(2)
    await page.getByRole('navigation', { name: 'Versions' }).getByRole('button').last().click()
    await expect.poll(() => page.locator('rect[data-measure]').count(), patient).toBe(3)
  })

  it('restores an older revision, takes that back, and downloads one', async () => {
    const page = await open(clara)
    await page.getByRole('navigation', { name: 'Versions' }).getByRole('button').last().click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download this version' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Walk.mxl')
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('The version was restored.').waitFor()
    await expect.poll(measuresOf, patient).toBe(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(measuresOf, patient).toBe(4)
    expect((await clara.get(`/scores/${score}/revisions`)).body).toHaveLength(4)
  })
})
