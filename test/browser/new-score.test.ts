import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'

describeInBrowser('the page for a new score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let marie: Person
  beforeAll(async () => {
    marie = await app.person('marie')
  })

  it('finds instruments by their names in any language, and creates a score for the chosen ones', async () => {
    const { page } = await browser.open(marie, { baseURL: app.url })
    await page.goto('/')
    await page.getByRole('link', { name: 'New score' }).click()
    await page.getByText('The score has no instruments yet.').waitFor()
    const add = page.getByRole('button', { name: 'Add instrument' })

    await page.getByLabel('Title of the score').fill('Evening')
    await page.getByLabel('Find an instrument').fill('geige')
    await page.getByLabel('Find an instrument').press('Enter')
    await page.getByLabel('Instrument', { exact: true }).selectOption('Violin')
    expect(await page.getByText('Please add at least one instrument.').count()).toBe(0)
    await add.click()
    await page.getByLabel('Find an instrument').fill('bass guitar')
    await page.getByLabel('Instrument', { exact: true }).selectOption('Bass Guitar')
    await add.click()
    await add.click()
    await page.getByRole('button', { name: 'Remove Bass Guitar' }).first().click()
    const chosen = page.getByRole('list', { name: 'Instruments of the score' }).getByRole('listitem')
    expect(await chosen.count()).toBe(2)

    await page.getByLabel('Key signature').selectOption('2 ♭')
    await page.getByLabel('Time signature').selectOption('6/8')
    await page.getByText('Add tablature').click()
    await page.getByRole('button', { name: 'Create score' }).click()
    await page.getByRole('heading', { level: 1, name: '“Evening” was created' }).waitFor()
    const [score] = (await marie.get('/collections/allScores/scores')).body
    expect(score).toMatchObject({
      title: 'Evening',
      privacy: 'private',
      instruments: ['strings.violin', 'plucked-strings.bass-guitar'],
      mainKeySignature: -2,
    })
    const { bytes } = await marie.get(`/scores/${score.id}/revisions/last/xml`)
    const text = Buffer.from(bytes).toString()
    expect(text).toContain('<sign>TAB</sign>')
    expect(text).toContain('<beats>6</beats>')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as MusicXML' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Evening.mxl')
  })

  it.each([
    ['de', 'Neue Partitur', 'Blechblasinstrumente', 'Horn in F'],
    ['es', 'Nueva partitura', 'Viento metal', 'Trompa en fa'],
  ])('groups the instruments in the language of the page: %s', async (locale, title, group, name) => {
    const { page } = await browser.open(marie, { baseURL: app.url, locale })
    await page.goto('/scores/new')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('searchbox').fill('french horn')
    await page
      .getByRole('status')
      .getByText(/: \d\./)
      .waitFor()
    expect(
      await page.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label'))),
    ).toEqual([group])
    expect(await page.locator('option').allInnerTexts()).toContain(name)
  })
})
