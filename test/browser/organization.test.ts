import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { withSecondFactor } from '../support/second-factors.ts'
import { password } from '../support/sessions.ts'

describeInBrowser('the pages of the organization', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School
  let page: Page

  beforeAll(async () => {
    school = await makeSchool(app)
    for (const name of ['Winds 4b', 'Strings 4b']) await school.tess.post('/classes', { name })
  })

  const part = (name: string) => page.getByRole('region', { name })
  const focused = () => page.evaluate('document.activeElement.textContent')
  const open = async (path: string) => {
    ;({ page } = await browser.open(school.ada, { baseURL: app.url }))
    await page.goto(path)
  }

  it('create, count and revoke invitations', async () => {
    await open('/organization/members')
    await page.getByRole('link', { name: 'Invitations' }).click()
    const creation = part('New invitation')
    await creation.getByLabel('E-mail address').fill('ina@example.com')
    await creation.getByLabel('Role').selectOption('Administrator')
    await creation.getByRole('button', { name: 'Create invitation' }).click()
    await creation.getByText('The invitation was created.').waitFor()
    expect(await focused()).toBe('New invitation')
    const link = await creation.locator('code').innerText()
    expect(link).toMatch(/\/invitations\/\w{10}$/)
    expect(await creation.getByLabel('Role').getByRole('option').allInnerTexts()).toEqual([
      'Choose a role',
      'Teacher',
      'Administrator',
    ])
    await creation.getByLabel('Role').selectOption('Teacher')
    await creation.getByRole('button', { name: 'Create invitation' }).click()
    const list = part('Invitations so far')
    await list.getByRole('row', { name: /Everyone with the link Teacher .* 0×/ }).waitFor()
    const row = list.getByRole('row', { name: /ina@example.com Administrator .* Not yet/ })
    await row.getByRole('button', { name: 'Revoke the invitation for ina@example.com' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await list.getByRole('status').getByText('The invitation was revoked.').waitFor()
    expect([await row.count(), await focused()]).toEqual([0, 'Invitations so far'])
    expect((await page.request.get(link)).status()).toBe(404)
  })

  it('list the classes of the school, and archive and restore them', async () => {
    await open('/organization/members')
    await page.getByRole('navigation', { name: 'School' }).getByRole('link', { name: 'Classes' }).click()
    const shown = page.getByRole('status')
    await shown.getByText('Classes shown: 2.').waitFor()
    await page.getByLabel('Name of the class').fill('winds')
    await shown.getByText('Classes shown: 1.').waitFor()
    await page.getByRole('row', { name: 'Winds 4b Tess Teacher 0 Open' }).waitFor()
    await page.getByRole('button', { name: 'Archive the class Winds 4b' }).click()
    await page.getByRole('row', { name: 'Archived' }).waitFor()
    expect(await focused()).toBe('Restore')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Archive the class Winds 4b' }).waitFor()
    await page.getByLabel('State').selectOption('Open')
    await page.waitForURL('**/organization/classes?q=winds&state=active')
    await page.getByRole('button', { name: 'Archive the class Winds 4b' }).click()
    await shown.getByText('No classes match the filter.').waitFor()
    await page.locator('h1:focus').waitFor()
    await page.goto('/organization/classes')
    await page.getByRole('button', { name: 'Restore the class Winds 4b' }).click()
    await page.getByRole('button', { name: 'Archive the class Winds 4b' }).waitFor()
    await page.getByRole('link', { name: 'Winds 4b' }).click()
    await page.getByRole('heading', { level: 1, name: 'Winds 4b' }).waitFor()
  })

  it('are linked from the numbers on the home of an administrator', async () => {
    await open('/')
    const numbers = part('School')
    await numbers.getByRole('link', { name: 'Seats 6' }).waitFor()
    await numbers.getByRole('link', { name: 'Open classes 2' }).click()
    await page.getByRole('status').getByText('Classes shown: 2.').waitFor()
    await page.goBack()
    await numbers.getByRole('link', { name: 'Teachers 3' }).click()
    await page.getByRole('status').getByText('Members shown: 3 of 3.').waitFor()
    expect(await page.getByLabel('Role').inputValue()).toBe('teacher')
  })

  it('change a rule after its consequences were shown and the password was entered', async () => {
    await open('/organization/settings')
    const rules = part('Rules')
    await rules.getByRole('button', { name: 'Check changes' }).click()
    await rules.getByText('Nothing has changed.').waitFor()
    const hours = rules.getByLabel('Longest time signed in')
    await hours.fill('12')
    await rules.getByText('Teachers may set the passwords').click()
    await rules.getByRole('button', { name: 'Check changes' }).click()
    const review = part('Check the changes')
    const passwordField = () => review.getByRole('textbox', { name: 'Password' })
    await review.getByRole('definition').getByText('12 (until now: not set)').waitFor()
    await review.getByRole('definition').getByText('Off (until now: On)').waitFor()
    expect(await focused()).toBe('Check the changes')
    await review.getByRole('button', { name: 'Back' }).click()
    expect(await hours.inputValue()).toBe('12')
    await rules.getByRole('button', { name: 'Check changes' }).click()
    await passwordField().fill('wrong')
    await review.getByRole('button', { name: 'Change the rules' }).click()
    await review.getByText('This password is wrong.').waitFor()
    await passwordField().fill(password)
    await review.getByRole('button', { name: 'Change the rules' }).click()
    await rules.getByRole('status').getByText('The rules were changed.').waitFor()
    await page.reload()
    expect(await hours.inputValue()).toBe('12')
    expect(await rules.getByRole('checkbox', { name: 'Teachers may set the passwords' }).isChecked()).toBe(
      false,
    )
  })

  it('refuse a rule that would lock the administrator out, and count the others', async () => {
    await open('/organization/settings')
    const choose = async () => {
      await part('Rules').getByText('must use two-step sign-in').click()
      await part('Rules').getByRole('button', { name: 'Check changes' }).click()
    }
    await choose()
    const review = part('Check the changes')
    const passwordField = () => review.getByRole('textbox', { name: 'Password' })
    await review.getByText('without two-step sign-in: 4.').waitFor()
    await review.getByText('Your own account does not satisfy this rule yet').waitFor()
    expect(await passwordField().count()).toBe(0)
    await withSecondFactor(app, school.ada)
    await page.reload()
    await choose()
    await review.getByText('without two-step sign-in: 3.').waitFor()
    await passwordField().waitFor()
  })
})
