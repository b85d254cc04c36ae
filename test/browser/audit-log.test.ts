import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/features/people/audit/audit.ts'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'

describeInBrowser('the audit log', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
    for (let count = 0; count < 60; count++) {
      const subject = (count % 30 === 0 ? people.sol : people.sam).id
      await app.ctx.transaction((tx) =>
        audit(tx, app.ctx, {
          organization: people.id,
          actor: people.ada.id,
          action: 'user.updated',
          subject,
        }),
      )
    }
  })

  it('shows all events or the events of one user to an administrator, also as a CSV file', async () => {
    const { page } = await browser.open(people.ada, { baseURL: app.url })
    await page.goto('/')
    await page.getByRole('link', { name: 'School' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('status').getByText('Events shown: 50.').waitFor()
    await page.getByRole('button', { name: 'Show older events' }).click()
    await page.getByRole('button', { name: 'Show older events' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('cell', { name: 'sol' }).count()).toBe(2)

    await page.getByLabel('Username').fill('nobody')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Your organization has no user with this name.').waitFor()
    await page.getByLabel('Username').fill('sol')
    await page.getByLabel('Action', { exact: true }).selectOption('user.updated')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('status').getByText('Events shown: 2.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect([download.suggestedFilename(), lines.length]).toEqual(['audit-log.csv', 3])

    await page.getByLabel('From', { exact: true }).fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-12-31')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('status').getByText('No events match the filter.').waitFor()
  })

  it('is hidden from users who are not administrators', async () => {
    const { page } = await browser.open(people.tess, { baseURL: app.url })
    await page.goto('/account')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(await page.getByRole('link', { name: 'School' }).count()).toBe(0)
    await page.goto('/organization/audit-log')
    await page
      .getByRole('alert')
      .getByText('Only administrators of an organization can use this page.')
      .waitFor()
  })
})
