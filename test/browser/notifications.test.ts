import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { newSubmission } from '../support/submissions.ts'

describeInBrowser('the page of notifications', (browser) => {
  // Nothing is sent.
  const app = useApp(usingDatabases('sqlite'), { smtpUrl: 'smtp://127.0.0.1:1' })
  let school: School
  let schoolClass: TestClass

  beforeAll(async () => {
    school = await makeSchool(app)
    schoolClass = await newClass(app, school.id, { teachers: [school.tess], students: [school.sam] })
  })

  it('leads to the work by keyboard, counts what is unread, and marks all as read', async () => {
    const { tess, sam, otto } = school
    const song = await newAssignment(tess, schoolClass, { title: 'Evening song', type: 'newScore' })
    await newAssignment(tess, schoolClass, { title: 'Scale' })
    await newSubmission(sam, schoolClass, song, { submit: true })
    const { page } = await browser.open(sam, { baseURL: app.url })
    await page.goto('/classes')
    const bell = page.getByRole('link', { name: 'Notifications' })
    await page.getByRole('link', { name: 'Notifications Unread: 2' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await page.getByRole('link', { name: /New work Unread Scale/ }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Scale' }).waitFor()
    await page.getByRole('link', { name: 'Notifications Unread: 1' }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('You have read everything.').waitFor()
    await page.getByRole('button', { name: 'Create an address' }).press('Enter')
    const address = page.getByText('/calendars/partita_calendar_')
    const first = (await address.textContent()) ?? ''
    expect((await fetch(first)).headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    await page.getByRole('button', { name: 'Switch off' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Create an address' }).waitFor()
    expect((await fetch(first)).status).toBe(404)
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download calendar file' }).click()
    expect((await file).suggestedFilename()).toBe('partita.ics')
    expect(await bell.getByText('Unread').count()).toBe(0)
    expect(await page.getByRole('listitem').filter({ hasText: 'Evening song' }).innerText()).not.toMatch(
      /Unread/,
    )
    await page.goto('/account')
    const often = page.getByLabel('How often?')
    await often.selectOption('weekly')
    await page.getByRole('button', { name: 'Save choice' }).press('Enter')
    await page.getByText('Your choice is saved.').waitFor()
    await page.reload()
    expect(await often.inputValue()).toBe('weekly')
    await browser.changeUser(page, tess, app.url)
    await page.goto('/notifications')
    await page.getByRole('link', { name: /Handed in Unread Evening song/ }).click()
    await page.waitForURL('**/review')
    await browser.changeUser(page, otto, app.url)
    await page.goto('/scores')
    await page.getByRole('link', { name: 'Account' }).waitFor()
    expect(await bell.count()).toBe(0)
  })
})
