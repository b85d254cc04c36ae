import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { newResourceWithScore, titlesIn } from '../support/resources.ts'
import { makeSchool, type School } from '../support/school.ts'
import { musicXml } from '../support/scores.ts'

describeInBrowser('the pages of resources', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School
  let schoolClass: TestClass

  beforeAll(async () => {
    school = await makeSchool(app)
    const { tess, sam } = school
    schoolClass = await newClass(app, school.id, { teachers: [tess], students: [sam] })
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const message = (page: Page, text: string) => page.getByRole('status').getByText(text)
  const choose = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

  it('let a teacher make a resource of an assignment, sort it, find it and use it in a class', async () => {
    const { tess, theo } = school
    const score = (await tess.post('/scores', { data: musicXml({ title: 'Canon' }) })).body.id
    const attachments = [{ type: 'flat', score, sharingMode: 'copy' }]
    const work = { title: 'Canon in two voices', type: 'scoreTemplate', attachments, maxPoints: 12 } as const
    const { id } = await newAssignment(tess, schoolClass, work)
    const { page } = await browser.open(tess, { baseURL: app.url })

    await page.goto('/library')
    await button(page, 'New folder').click()
    await page.getByLabel('Title').fill('Canons')
    await button(page, 'Create folder').click()
    await page.getByRole('link', { name: /^Canons/ }).waitFor()

    await page.goto(`/classes/${schoolClass.id}/work/${id}`)
    await button(page, 'Add to the resources').click()
    await choose(page, 'My resources')
    await choose(page, 'Put a copy here')
    await button(page, 'Open').click()
    await page.getByRole('heading', { level: 1, name: 'Canon in two voices' }).waitFor()
    await page.locator('aside img').waitFor()

    await button(page, 'Title, subject and grade').click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Canon')
    await page.getByRole('dialog').getByText('Composition', { exact: true }).click()
    await page.getByRole('dialog').getByText('7', { exact: true }).click()
    await button(page, 'Save').click()
    await page.getByText('Composition · Grades: 7').waitFor()
    await button(page, 'Undo').click()
    await page.getByRole('heading', { level: 1, name: 'Canon in two voices' }).waitFor()

    // The last message says where it is, and takes it back.
    await button(page, 'Move').click()
    await choose(page, 'My resources')
    await choose(page, 'Canons')
    await choose(page, 'Move here')
    await message(page, '“Canon in two voices” is in “Canons”.').waitFor()
    expect(await titlesIn(tess, 'parent=root')).toEqual(['Canons'])
    await page.keyboard.press('Control+z')
    await expect
      .poll(() => titlesIn(tess, 'parent=root&sort=title'))
      .toEqual(['Canon in two voices', 'Canons'])

    await button(page, 'Share').click()
    await page
      .getByLabel('Who can open it')
      .selectOption({ label: 'Teachers of your school who have the address' })
    await button(page, 'Save').click()
    const address = page.getByRole('dialog').locator('code')
    const shared = new URL(String(await address.textContent())).pathname.split('/').at(-1)
    expect((await theo.get(`/eduResources/${shared}`)).status).toBe(200)
    await button(page, 'Cancel').click()

    await page.goto('/library')
    await page.getByRole('searchbox', { name: 'Search' }).fill('voices')
    await page.getByRole('link', { name: /^Canons/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Canon in two voices/ }).click()
    await button(page, 'Use in a class').click()
    await choose(page, 'Class')
    await page.getByRole('heading', { level: 1, name: 'Change the assignment' }).waitFor()
    expect(await page.getByLabel('Points for the whole work').inputValue()).toBe('12')
    const assignments = (await tess.get(`/classes/${schoolClass.id}/assignments`)).body
    expect(assignments.map((one: { state: string }) => one.state).sort()).toEqual(['active', 'draft'])
  })

  it('show what colleagues shared without buttons that are refused, and nothing to students', async () => {
    const { tess, theo, sam } = school
    const score = (await tess.post('/scores', { data: musicXml({ title: 'Waltz' }) })).body.id
    const { id } = await newResourceWithScore(tess, score, 'organization')
    const { page } = await browser.open(theo, { baseURL: app.url })
    await page.goto('/library/organization')
    await page.getByRole('link', { name: /^Waltz/ }).click()
    await button(page, 'Use in a class').waitFor()
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual([
      'Use in a class',
      'Copy',
    ])

    await browser.changeUser(page, sam, app.url)
    await page.goto(`/library/resource/${id}`)
    await page.getByText('Resources are for teachers of a school.').waitFor()
    expect(await page.getByRole('link', { name: 'Resources' }).count()).toBe(0)
  })

  it('ask before a folder is deleted', async () => {
    const { theo } = school
    await newResourceWithScore(
      theo,
      (await theo.post('/scores', { data: musicXml({}) })).body.id,
      (await theo.post('/eduResources', { type: 'folder', title: 'Old' })).body.id,
    )
    const { page } = await browser.open(theo, { baseURL: app.url })
    await page.goto('/library')
    await page.getByRole('link', { name: 'Old Resources: 1' }).click()
    await button(page, 'Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await message(page, '“Old” was deleted.').waitFor()
    expect(await titlesIn(theo, 'parent=root')).toEqual([])
  })

  it('let a teacher reuse an assignment, see it as a student, and copy the class for the next year', async () => {
    const { tess } = school
    const old = await newClass(app, school.id, { teachers: [tess], students: [school.sam] })
    await tess.put(`/classes/${old.id}`, { name: 'Last year', section: 'Room 3', level: 'middle' })
    const exercises = [
      {
        id: '1',
        type: 'multipleChoice',
        prompt: 'Which of them are voices?',
        choices: ['alto', 'oboe'].map((voice) => ({ id: voice, text: voice })),
        solution: ['alto'],
      },
    ]
    await newAssignment(tess, old, {
      title: 'Voices',
      type: 'worksheetText',
      exercises,
      teacherInstructions: 'The answer is alto.',
    })
    await newAssignment(tess, old, { title: 'Melody', type: 'newScore' })
    await newAssignment(tess, old, { title: 'Diary', type: 'worksheetText' })
    const { page } = await browser.open(tess, { baseURL: app.url })
    await page.goto(`/classes/${schoolClass.id}/work/new`)
    await button(page, 'Reuse an assignment').click()
    await choose(page, 'Last year')
    await choose(page, 'Voices')
    await page.getByRole('heading', { level: 1, name: 'Change the assignment' }).waitFor()
    // The form keeps the type and the exercises.
    await page.getByRole('radio', { name: 'Questions to answer in words', checked: true }).waitFor()
    await button(page, 'Save as a draft').click()
    await page.getByText('The answer is alto.').waitFor()
    await button(page, 'See as a student').click()
    await page.getByText('oboe', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'oboe', checked: true }).waitFor()
    expect(await page.getByText('The answer is alto.').count()).toBe(0)
    expect(await button(page, 'Hand in').count()).toBe(0)
    await button(page, 'Back to the teacher’s view').click()
    await page.getByText('The answer is alto.').waitFor()

    // Questions without exercises can be saved too.
    await page.goto(`/classes/${schoolClass.id}/work/new`)
    await button(page, 'Reuse an assignment').click()
    await choose(page, 'Last year')
    await choose(page, 'Diary')
    await page.getByRole('radio', { name: 'Questions to answer in words', checked: true }).waitFor()
    await button(page, 'Save as a draft').click()
    await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor()

    await page.goto(`/classes/${old.id}/settings`)
    await page.getByLabel('Name of the new class').fill('This year')
    await button(page, 'Copy the class').click()
    await page.getByRole('heading', { level: 1, name: 'This year' }).waitFor()
    const [copy] = (await tess.get('/classes')).body.filter(
      ({ name }: { name: string }) => name === 'This year',
    )
    expect(copy).toMatchObject({ section: 'Room 3', level: 'middle', studentsGroup: { usersCount: 0 } })
    const copies = (await tess.get(`/classes/${copy.id}/assignments`)).body
    expect(
      copies.map(({ title, state, type }: { title: string; state: string; type: string }) => [
        title,
        state,
        type,
      ]),
    ).toEqual([
      ['Diary', 'draft', 'worksheetText'],
      ['Melody', 'draft', 'newScore'],
      ['Voices', 'draft', 'worksheetText'],
    ])
    expect(copies[2].exercises).toMatchObject(exercises)
  })
})
