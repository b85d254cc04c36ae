import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'

describeInBrowser('the sharing of a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let people: School

  const newScore = async (by = people.tess): Promise<string> =>
    (await by.post('/scores', emptyPiano())).body.id
  const open = async (by: School['tess'] | undefined, path: string): Promise<Page> => {
    const { page } = await browser.open(by, { baseURL: app.url })
    await page.goto(path)
    return page
  }
  const openDialog = async (page: Page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    return page.getByRole('dialog', { name: 'Share' })
  }

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('gives a person access, changes the right and takes it back, which the page of the person says', async () => {
    const { tess, theo } = people
    const score = await newScore()
    const dialog = await openDialog(await open(tess, `/scores/${score}`))
    await dialog.getByLabel('Add people or groups').fill('theo')
    await dialog.getByRole('button', { name: 'Share with theo' }).click()
    await dialog.getByText('theo has access now.').waitFor()
    const his = await open(theo, `/scores/${score}`)
    await his.getByRole('button', { name: 'Play' }).waitFor()
    expect(await his.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)

    await dialog.getByLabel('Right of theo').selectOption('Can administer')
    await his.getByRole('button', { name: 'Share', exact: true }).waitFor()

    await dialog.getByRole('button', { name: 'Remove theo' }).click()
    await his.getByRole('alert').getByText('You no longer have access').waitFor()
    await dialog.getByRole('button', { name: 'Remove theo' }).waitFor({ state: 'detached' })
  })

  it('by a link opens the score to visitors until the link is replaced', async () => {
    const score = await newScore(people.otto)
    const dialog = await openDialog(await open(people.otto, `/scores/${score}`))
    await dialog.getByLabel('Who else can read').selectOption('Everybody with the link')
    const link = dialog.getByText(/sharingKey=/)
    const first = await link.innerText()
    await open(undefined, first).then((page) => page.getByRole('button', { name: 'Play' }).waitFor())
    await dialog.getByRole('button', { name: 'Replace the link' }).click()
    await dialog.getByText('The old link no longer opens the score.').waitFor()
    const second = await link.innerText()
    expect(second).not.toBe(first)
    const missing = { name: 'Score not found', level: 1 }
    await open(undefined, first).then((page) => page.getByRole('heading', missing).waitFor())

    await dialog.getByLabel('Who else can read').selectOption('Nobody else')
    await link.waitFor({ state: 'detached' })
    await open(undefined, second).then((page) => page.getByRole('heading', missing).waitFor())
  })

  it('says who cannot be given access, and why', async () => {
    const { sam } = people
    const score = await newScore(sam)
    const dialog = await openDialog(await open(sam, `/scores/${score}`))
    await dialog.getByLabel('Add people or groups').fill('somebody@elsewhere.example')
    await dialog.getByRole('button', { name: 'Share with somebody@elsewhere.example' }).click()
    await dialog.getByText('Students can share only within their organization.').waitFor()
  })
})
