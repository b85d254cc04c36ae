import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { newClass, newSubGroup, type TestClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { musicXml } from '../support/scores.ts'

describeInBrowser('the pages of assignments', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School
  let schoolClass: TestClass

  beforeAll(async () => {
    school = await makeSchool(app)
    const { tess, sam, sol } = school
    schoolClass = await newClass(app, school.id, { teachers: [tess], students: [sam, sol] })
    await newSubGroup(tess, schoolClass, 'Cellos', sol)
    await tess.post('/scores', { data: musicXml({ title: 'Evening song' }), collection: 'root' })
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  const message = (page: Page, text: string) => page.getByRole('status').getByText(text)
  const file = (title: string) => ({
    name: 'melody.musicxml',
    mimeType: 'application/vnd.recordare.musicxml+xml',
    buffer: Buffer.from(musicXml({ title, parts: ['Oboe', 'Flute'] })),
  })

  it('let a teacher give a score, and a student work on a copy, hand it in, take it back and ask', async () => {
    const { page: teacher } = await browser.open(school.tess, {
      baseURL: app.url,
      timezoneId: 'America/New_York',
    })
    await teacher.goto(`/classes/${schoolClass.id}`)
    await teacher.getByRole('link', { name: 'New assignment' }).click()
    await teacher.getByLabel('Title').fill('Second voice')
    // Enter in a field gives nothing to the class.
    await teacher.getByLabel('What is to do').fill('Write a second voice.')
    await teacher.getByText('A score to work on').click()
    await button(teacher, 'Give to the class').click()
    await teacher.getByText('Add the score that students get a copy of.').waitFor()
    await button(teacher, 'Add a score').click()
    await teacher.getByLabel('Search').fill('evening')
    await teacher.getByRole('dialog').getByRole('button', { name: 'Evening song' }).click()
    await teacher.getByLabel('Link to a page').fill('example.com')
    await button(teacher, 'Add link').click()
    await teacher.getByText('This is not an address of a page.').waitFor()
    await teacher.getByLabel('Link to a page').fill('https://example.com/voices')
    await button(teacher, 'Add link').click()
    await teacher.getByLabel('Points for the whole work').fill('12')
    await teacher.getByLabel('Due', { exact: true }).fill('2030-05-17T18:00')
    await teacher.getByText('Time zone: America/New_York').waitFor()
    await button(teacher, 'Give to the class').click()
    await heading(teacher, 'Second voice').waitFor()
    const [given] = (await school.sam.get(`/classes/${schoolClass.id}/assignments`)).body
    expect([given.type, given.maxPoints, given.dueDate, given.attachments.length]).toEqual([
      'scoreTemplate',
      12,
      '2030-05-17T22:00:00.000Z',
      2,
    ])

    const { page: student } = await browser.open(school.sam, { baseURL: app.url, viewport: screens.phone })
    await student.goto('/classes')
    await student
      .getByRole('main')
      .getByRole('link', { name: /^Class/ })
      .click()
    await student
      .getByRole('region', { name: 'To do' })
      .getByRole('link', { name: /Second voice/ })
      .click()
    await button(student, 'Start').click()
    const work = student.getByRole('region', { name: 'Evening song' })
    await work.locator('.sheet svg').first().waitFor()
    await student.locator('input[type=file]').setInputFiles(file('My voice'))
    await message(student, 'melody.musicxml is in your score now.').waitFor()
    // The page shows the new revision at once: it has two parts.
    await work.locator('.sheet svg rect[data-part]').nth(1).waitFor({ state: 'attached' })
    await button(student, 'Hand in').click()
    await message(student, 'You have handed in “Second voice”.').waitFor()
    expect(await button(student, 'Upload your score').count()).toBe(0)
    await button(student, 'Take back').click()
    await button(student, 'Upload your score').waitFor()
    await student.getByLabel('Write a message').fill('Is the last note right?')
    await button(student, 'Send').click()
    await student.getByText('Is the last note right?').waitFor()
    await button(student, 'Hand in').click()
    await button(student, 'Take back').waitFor()
    await teacher.reload()
    await teacher.getByText('To review: 1').waitFor()
  })

  it('let a teacher write exercises for a group, which a student answers and gets graded at once', async () => {
    const { page: teacher } = await browser.open(school.tess, { baseURL: app.url })
    await teacher.goto(`/classes/${schoolClass.id}/work/new`)
    await teacher.getByLabel('Title').fill('Notes and voices')
    await teacher.getByText('Exercises: answered here').click()
    await button(teacher, 'Add a choice').click()
    const first = teacher.getByRole('group', { name: 'Exercise 1' })
    await first.getByLabel('Question').fill('Which of them is a voice?')
    await first.getByLabel('Answer 1').fill('alto')
    await first.getByLabel('Answer 2').fill('oboe')
    await button(teacher, 'Save as a draft').click()
    await teacher.getByText('Mark at least one answer as correct.').waitFor()
    await first.getByLabel('Correct').first().check()
    await button(teacher, 'Add notes to name').click()
    await teacher.getByRole('group', { name: 'Exercise 2' }).getByLabel('Notes').fill('e4 bb4')
    await teacher.getByRole('img', { name: 'Treble clef. Note 1: line 1 from below.' }).waitFor()
    await teacher.getByText('Show the result at once').click()
    await teacher.getByText('Some students or groups').click()
    await teacher.getByText('Cellos').click()
    await button(teacher, 'Save as a draft').click()
    await teacher.getByText('This is a draft.').waitFor()
    await teacher.getByRole('link', { name: 'Change' }).click()
    expect(await teacher.getByLabel('Notes', { exact: true }).inputValue()).toBe('E4 Bb4')
    expect(await teacher.getByRole('checkbox', { name: 'Cellos' }).isChecked()).toBe(true)
    await button(teacher, 'Give to the class').click()
    await teacher.getByText('To review: 0').waitFor()

    const { page: student } = await browser.open(school.sol, { baseURL: app.url })
    const answers: string[] = []
    student.on('response', async (response) => {
      if (response.url().includes('/v2/')) answers.push(await response.text())
    })
    await student.goto(`/classes/${schoolClass.id}`)
    await student.getByRole('link', { name: /Notes and voices/ }).click()
    await student.getByText('alto').click()
    // The staff asks for the names of the notes, and does not say them.
    const staff = student.getByRole('img', { name: /^Treble clef/ })
    expect(await staff.getAttribute('aria-label')).toBe(
      'Treble clef. Note 1: line 1 from below. Note 2: line 3 from below, flat.',
    )
    await student.getByLabel(/Name the notes/).fill('E B')
    await button(student, 'Save for later').click()
    await message(student, 'Saved.').waitFor()
    await student.reload()
    expect(await student.getByLabel(/Name the notes/).inputValue()).toBe('E B')
    await student.getByLabel(/Name the notes/).fill('mi sib')
    await button(student, 'Hand in').click()
    await student.getByText('2 of 2 points').waitFor()
    expect(answers.filter((answer) => answer.includes('solution'))).toEqual([])
    expect(
      (await school.sam.get(`/classes/${schoolClass.id}/assignments`)).body.map(
        ({ title }: { title: string }) => title,
      ),
    ).not.toContain('Notes and voices')
  })

  it('let a teacher archive an assignment and take that back, copy it, and delete a draft', async () => {
    const { tess, sam } = school
    const given = await newAssignment(tess, schoolClass, { title: 'Scale', type: 'newScore' })
    const { page } = await browser.open(tess, { baseURL: app.url })
    await page.goto(`/classes/${schoolClass.id}/work/${given.id}`)
    await button(page, 'Archive').click()
    await page.getByText('This assignment is archived.').waitFor()
    await button(page, 'Undo').click()
    await button(page, 'Archive').waitFor()
    await button(page, 'Copy to a class').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Class' }).click()
    await heading(page, 'Change the assignment').waitFor()
    await page.getByLabel('Title').fill('Scale in thirds')
    // Enter saves a draft. It gives nothing to the class.
    await page.keyboard.press('Enter')
    await page.getByText('This is a draft.').waitFor()
    const copy = new URL(page.url()).pathname.split('/').at(-1)
    expect((await sam.get(`/classes/${schoolClass.id}/assignments/${copy}`)).status).toBe(404)
    await button(page, 'Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await message(page, '“Scale in thirds” was deleted.').waitFor()
    await page.goto(`/classes/${schoolClass.id}/work/${copy}`)
    await heading(page, 'Assignment not found').waitFor()
  })

  it('show a student no buttons of teachers', async () => {
    const given = await newAssignment(school.tess, schoolClass, { title: 'Canon', type: 'none' })
    const { page } = await browser.open(school.sam, { baseURL: app.url })
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url())
    })
    await page.goto(`/classes/${schoolClass.id}/work/${given.id}`)
    await heading(page, 'Canon').waitFor()
    await page.getByText('To read').first().waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    for (const path of ['new', `${given.id}/edit`]) {
      await page.goto(`/classes/${schoolClass.id}/work/${path}`)
      await page.getByText('Only teachers can open this page.').waitFor()
    }
    expect(refused).toEqual([])
  })
})
