import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { newClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { password } from '../support/sessions.ts'

describeInBrowser('the pages of classes', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School

  beforeAll(async () => {
    school = await makeSchool(app)
  })

  const main = (page: Page) => page.getByRole('main')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  it('lead a teacher from a new class to its code, and a student with the code into the class', async () => {
    const { page: teacher } = await browser.open(school.tess, { baseURL: app.url })
    await teacher.goto('/')
    await teacher.getByRole('link', { name: 'Classes' }).click()
    await teacher.getByText('No classes yet').waitFor()
    await teacher.getByRole('link', { name: 'New class' }).click()
    await teacher.getByLabel('Name of the class').fill('Strings 4b')
    await teacher.getByLabel('Color').selectOption('Green')
    await button(teacher, 'Create class').click()
    await heading(teacher, 'Strings 4b').waitFor()
    await teacher.getByRole('link', { name: 'Show the code in large' }).click()
    const code = (await teacher.locator('.enrolment-letters').textContent()) ?? ''
    await teacher.getByText('Students in the class: 0').waitFor()

    // The QR code leads a visitor to the page for joining, by way of the sign-in form.
    const { page: student } = await browser.open(undefined, { baseURL: app.url, viewport: screens.phone })
    await student.goto(`/join/${code}`)
    await student.getByLabel('Username or e-mail address').fill(school.sam.username)
    await student.getByLabel('Password').fill(password)
    await button(student, 'Sign in').click()
    await student.getByText('You are signed in as sam.').waitFor()
    await button(student, 'Join now').click()
    await heading(student, 'Strings 4b').waitFor()
    await student.getByText('You are in “Strings 4b” now.').waitFor()
    // The page on the wall counts by itself.
    await teacher.getByText('Students in the class: 1').waitFor()

    // A code is accepted as people write it.
    await student.goto('/join')
    await student.getByLabel('Code of the class').fill(` ${code.slice(0, 4).toUpperCase()}-${code.slice(4)}`)
    await button(student, 'Next').click()
    await button(student, 'Join now').click()
    await heading(student, 'Strings 4b').waitFor()
    expect(
      await student.getByRole('navigation', { name: 'Strings 4b' }).getByRole('link').allTextContents(),
    ).toEqual(['Work', 'People'])
  })

  it('show what is due in a month, by keyboard and on a phone', async () => {
    const { id, tess, sam } = school
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const dueDate = '2030-06-12T12:00:00.000Z'
    const latePolicy = { percentPerDay: 10, minimumPercent: 50 }
    const song = { title: 'Evening song', type: 'newScore', dueDate, latePolicy }
    const { id: given } = await newAssignment(tess, schoolClass, song)
    const { page } = await browser.open(sam, { baseURL: app.url })
    await page.goto(`/classes/${schoolClass.id}?month=2030-05`)
    await button(page, 'Month').press('Enter')
    await page.goto(`/classes/${schoolClass.id}?view=month&month=2030-05`)
    await page.getByRole('heading', { level: 2, name: 'May 2030' }).waitFor()
    await page.getByText('Nothing is due in this month.').waitFor()
    await button(page, 'Next month').press('Enter')
    await page.getByRole('heading', { level: 2, name: 'June 2030' }).waitFor()
    expect(await page.getByRole('columnheader').allTextContents()).toHaveLength(7)
    const day = page.getByRole('cell', { name: 'Wednesday, June 12' })
    expect(await day.getByRole('link').textContent()).toMatch(/^Evening song.*To do$/)
    await page.setViewportSize(screens.phone)
    expect(await page.getByText('Wednesday, June 12').isVisible()).toBe(true)
    expect(await page.getByText('Thursday, June 13').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Evening song' }).press('Enter')
    await heading(page, 'Evening song').waitFor()
    await page.getByText('takes 10% of the points off; at least 50% remain').waitFor()
    await browser.changeUser(page, tess, app.url)
    await page.goto(`/classes/${schoolClass.id}/work/${given}/edit`)
    expect(await page.getByLabel('Percent off for each day late').inputValue()).toBe('10')
    await page.getByLabel('Days in which late work is accepted').fill('3')
    await button(page, 'Save').click()
    await heading(page, 'Evening song').waitFor()
    const saved = (await tess.get(`/classes/${schoolClass.id}/assignments/${given}`)).body
    expect(saved.latePolicy).toEqual({ acceptDays: 3, ...latePolicy })
  })

  it('show a student neither the code nor what teachers do', async () => {
    const { id } = await newClass(app, school.id, { teachers: [school.tess], students: [school.sol] })
    const { page } = await browser.open(school.sol, { baseURL: app.url })
    const answers: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/v2/')) answers.push(`${response.status()} ${await response.text()}`)
    })
    await page.goto(`/classes/${id}/people`)
    await main(page).getByRole('region', { name: 'Students' }).getByText('sol (you)').waitFor()
    expect(await main(page).getByRole('button').count()).toBe(0)
    for (const path of [`/classes/${id}/code`, `/classes/${id}/settings`, '/classes/new']) {
      await page.goto(path)
      await page.getByText('Only teachers can open this page.').waitFor()
      expect(await main(page).getByRole('button').count()).toBe(0)
    }
    expect(answers.length).toBeGreaterThan(3)
    expect(
      answers.filter((answer) => !answer.startsWith('200 ') || answer.includes('enrollmentCode')),
    ).toEqual([])
  })

  it('let a teacher group the students, remove one, and archive the class and take that back', async () => {
    const { id } = await newClass(app, school.id, {
      teachers: [school.tess, school.theo],
      students: [school.sam, school.sol],
    })
    const { page } = await browser.open(school.theo, { baseURL: app.url })
    await page.goto(`/classes/${id}/people`)
    await button(page, 'New group').click()
    await page.getByLabel('Name of the group').fill('Cellos')
    await page.getByRole('dialog').getByText('sam').click()
    await button(page, 'Save').click()
    await button(page, 'Change group Cellos').click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('checkbox', { name: 'sam' }).isChecked()).toBe(true)
    await dialog.getByText('sam').click()
    await dialog.getByText('sol').click()
    await button(page, 'Save').click()
    await dialog.waitFor({ state: 'detached' })
    const [group] = (await school.tess.get(`/groups?type=classStudentsSubGroup&classroom=${id}`)).body
    const members = (await school.tess.get(`/groups/${group.id}/users`)).body
    expect(members.map(({ username }: { username: string }) => username)).toEqual(['sol'])

    await button(page, 'Remove sam from the class').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('sam is no longer in the class.').waitFor()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name of the class').fill('Low strings')
    await button(page, 'Save').click()
    await heading(page, 'Low strings').waitFor()
    await button(page, 'Archive the class').click()
    await page.getByText('This class is archived.').first().waitFor()
    expect(await page.getByLabel('Name of the class').count()).toBe(0)
    await button(page, 'Undo').click()
    await page.getByLabel('Name of the class').waitFor()
    await button(page, 'Leave the class').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the class' }).click()
    await heading(page, 'Classes').waitFor()
    expect((await school.theo.get(`/classes/${id}`)).status).toBe(404)
  })

  it('say why an account of no school has no classes', async () => {
    const { page } = await browser.open(school.otto, { baseURL: app.url })
    await page.goto('/classes')
    await page.getByText('Your account belongs to no school.').waitFor()
    await page.goto('/join/abcdefgh')
    await page.getByText('This account belongs to no school').waitFor()
    expect(await page.getByRole('link', { name: 'Classes' }).count()).toBe(0)
  })
})
