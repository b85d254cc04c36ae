import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { newClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { useMailServer } from '../support/mail-server.ts'
import { chooseRoster } from '../support/rosters.ts'
import { makeSchool, type School } from '../support/school.ts'
import { signedIn } from '../support/sessions.ts'

const mailServer = useMailServer()

describeInBrowser('the pages of members', (browser) => {
  const app = useApp(usingDatabases('sqlite'), mailServer.settings())
  let school: School
  let page: Page

  beforeAll(async () => {
    school = await makeSchool(app)
    for (let count = 10; count < 70; count++)
      await app.person(`pupil${count}`, {
        organization: school.id,
        firstname: 'Pia',
        lastname: `No. ${count}`,
      })
    const email = 'luca@example.com'
    const luca = await app.person('luca', { organization: school.id, firstname: 'Luca', email })
    await newClass(app, school.id, { teachers: [school.tess], students: [luca] })
    await signedIn(app, luca)
    await signedIn(app, luca)
  })

  const part = (name: string) => page.getByRole('region', { name })
  const dialog = () => page.getByRole('alertdialog')

  it('lead an administrator from the list to a member, whose sign-ins and password the administrator changes', async () => {
    ;({ page } = await browser.open(school.ada, { baseURL: app.url }))
    await page.goto('/')
    await page.getByRole('link', { name: 'School' }).click()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('status').getByText('Members shown: 50 of 67.').waitFor()
    await page.getByRole('button', { name: 'Show more members' }).click()
    await page.getByRole('status').getByText('Members shown: 67 of 67.').waitFor()
    await page.getByLabel('Role').selectOption('Teacher')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('status').getByText('Members shown: 3 of 3.').waitFor()
    await page.getByLabel('Role').selectOption('All roles')
    await page.getByLabel('Name or e-mail').fill('luca@exam')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Members shown: 1 of 1.').waitFor()
    await page.getByRole('link', { name: 'Luca' }).click()
    await page.getByRole('heading', { level: 1, name: 'Luca' }).waitFor()
    await part('Classes').getByRole('cell', { name: 'An administrator' }).waitFor()

    const signIns = part('Open sign-ins')
    const rows = signIns.getByRole('row', { name: 'The member' })
    await rows.first().waitFor()
    expect(await rows.count()).toBe(2)
    await rows
      .first()
      .getByRole('button', { name: /^End the session since/ })
      .click()
    await dialog().getByRole('button', { name: 'End', exact: true }).click()
    await signIns.getByRole('status').getByText('The sign-in was ended.').waitFor()
    expect(await rows.count()).toBe(1)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Open sign-ins')

    const password = part('Password')
    await password.getByRole('button', { name: 'Send link' }).click()
    await password.getByText('The link is on its way.').waitFor()
    await app.jobsDone()
    expect(mailServer.mails.filter((mail) => mail.includes('/auth/password/')).length).toBe(1)
    await password.getByLabel('New password').fill('password')
    await password.getByRole('button', { name: 'Set a password' }).click()
    await password.getByText('This is one of the most common passwords').waitFor()
    await password.getByLabel('New password').fill('cello and bow')
    await password.getByRole('button', { name: 'Set a password' }).click()
    await password.getByText('The password was set.').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Set a password')
    await signIns.getByText('The member is not signed in anywhere.').waitFor()
    await password.getByRole('button', { name: 'Create link' }).click()
    await password.getByText('/auth/signin-link/').waitFor()

    await part('Role').getByLabel('New role').selectOption('Teacher')
    await part('Role').getByRole('button', { name: 'Change role' }).click()
    await part('Role').getByText('The role was changed.').waitFor()
    await page.getByRole('definition').getByText('Teacher', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'All members' }).click()
    await page.getByRole('status').getByText('Members shown: 1 of 1.').waitFor()
  })

  it('import a roster after a preview, and save the first passwords', async () => {
    ;({ page } = await browser.open(school.ada, { baseURL: app.url }))
    await page.goto('/organization/members')
    await page.getByRole('link', { name: 'Import a roster' }).click()
    await chooseRoster(page, 'username,role', 'imported.bad,wizard')
    await page.getByRole('row', { name: 'people.csv 2 role' }).waitFor()
    const people = ['ines,Ines', 'igor,Igor', 'ida,Ida'].map((names) => `imported.${names},student,Winds`)
    await chooseRoster(page, 'username,firstname,role,class', ...people)
    await page.getByRole('row', { name: 'People 3 0 0' }).waitFor()
    await page.getByRole('row', { name: 'imported.igor Igor' }).waitFor()
    await page.getByRole('button', { name: 'Import now' }).click()
    await page.getByRole('heading', { name: 'The roster was imported.' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save first passwords' }).click()
    const saved = await readFile(await (await download).path(), 'utf8')
    expect(saved).toMatch(/"imported\.ida","Ida","\w{4}-\w{4}-\w{4}"/)
    expect(saved.trim().split('\r\n').length).toBe(4)

    await page.goto('/organization/members')
    // The list follows the typing, without a button.
    await page.getByLabel('Name or e-mail').fill('imported.i')
    await page.getByRole('status').getByText('Members shown: 3 of 3.').waitFor()
    await page.getByText('Select all shown (3)').click()
    const igor = page.getByRole('checkbox', { name: 'Select Igor' })
    await page.locator('label').filter({ has: igor }).click()
    const bulk = part('Selected members: 2')
    await bulk.getByLabel('New role').selectOption('Teacher')
    await bulk.getByRole('button', { name: 'Change role' }).click()
    await dialog().getByText('Members: 2. Each gets the role Teacher.').waitFor()
    await dialog().getByRole('button', { name: 'Change role' }).click()
    await page.getByText('Members changed: 2.').waitFor()
    await page.getByRole('row', { name: 'Ida imported.ida Teacher' }).waitFor()
    await page.getByRole('row', { name: 'Igor imported.igor Student' }).waitFor()
  })

  it('give new first passwords to several members, and remove them', async () => {
    ;({ page } = await browser.open(school.ada, { baseURL: app.url }))
    await page.goto('/organization/members')
    await page.getByLabel('Name or e-mail').fill('imported.i')
    await page.getByText('Select all shown (3)').click()
    const act = async (name: string) => {
      await part('Selected members').getByRole('button', { name }).click()
      await dialog().getByRole('button', { name }).click()
    }
    await act('New first passwords')
    await page.getByText('First passwords: 3.').waitFor()
    await page.getByText('Select all shown (3)').click()
    await act('Remove from the organization')
    await page.getByText('No members match the filter.').waitFor()
  })

  it('do not change the own account or accounts above', async () => {
    const owner = await app.person('olga', { organization: school.id, role: 'accountAdmin' })
    ;({ page } = await browser.open(school.ada, { baseURL: app.url }))
    await page.goto(`/organization/members/${owner.id}`)
    await page.getByText('This member has a role above yours').waitFor()
    expect(await page.getByRole('button', { name: /End|Set|Change/ }).count()).toBe(0)
    await page.goto(`/organization/members/${school.ada.id}`)
    await part('Password').getByRole('link', { name: 'Security' }).waitFor()
    expect(await part('Password').getByRole('button').count()).toBe(0)
  })
})
