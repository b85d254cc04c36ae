import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { newSubmission } from '../support/submissions.ts'

describeInBrowser('the grading desk', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School
  let schoolClass: TestClass
  let gradedClass: TestClass
  let students: Person[]
  let assignment: { id: string }
  let desk: string

  beforeAll(async () => {
    school = await makeSchool(app)
    students = []
    for (const name of ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil'])
      students.push(
        await app.person(name.toLowerCase(), { organization: school.id, firstname: name, lastname: 'Arp' }),
      )
    schoolClass = await newClass(app, school.id, { teachers: [school.tess], students })
    gradedClass = await newClass(app, school.id, { teachers: [school.tess], students: students.slice(0, 2) })
    assignment = await newAssignment(school.tess, schoolClass, {
      title: 'Canon',
      type: 'newScore',
      maxPoints: 20,
    })
    // Emil has not started.
    for (const student of students.slice(0, 4))
      await newSubmission(student, schoolClass, assignment, { submit: true })
    desk = `/classes/${schoolClass.id}/work/${assignment.id}/review`
  })

  const work = (page: Page, name: string) =>
    page.getByRole('heading', { level: 2, name: new RegExp(`^${name} Arp`) })
  const grade = (page: Page) => page.getByLabel(/^Points for/)
  const gradesOf = async () => {
    const { submissions } = (await school.tess.get(`/classes/${schoolClass.id}/assignments/${assignment.id}`))
      .body
    return students.map(({ id }) => {
      const { grade, draftGrade, state } =
        submissions.find(({ creator }: { creator: string }) => creator === id) ?? {}
      return [state, draftGrade, grade]
    })
  }

  /** Adds the text of the message to the comment bank, inserts it into another text, and deletes it, with the keyboard alone. */
  async function saveAndInsertComment(page: Page) {
    const field = page.getByLabel('Write a message')
    const saved = page.getByRole('list', { name: 'Comment bank' })
    await page.getByRole('button', { name: 'Comment bank' }).press('Enter')
    await page.getByRole('button', { name: 'Add the text to the bank' }).press('Enter')
    await page.getByText('Saved: 1 of 200').waitFor()
    await field.fill('Ann, (soon)')
    for (let n = 0; n < '(soon)'.length; n++) await field.press('ArrowLeft')
    await saved.getByRole('button', { name: 'Please add a title.', exact: true }).press('Enter')
    await page.keyboard.type(' Thanks!')
    expect(await field.inputValue()).toBe('Ann, Please add a title. Thanks!(soon)')
    await page.getByRole('button', { name: 'Delete from the bank: Please add a title.' }).press('Enter')
    await page.getByText('Saved: 0 of 200').waitFor()
    await page.waitForFunction(`document.activeElement.getAttribute('aria-expanded') === 'true'`)
    await page.keyboard.press('Escape')
    expect(await saved.count()).toBe(0)
  }

  it('grades one work after the other with the keyboard alone, and returns all', async () => {
    const { page } = await browser.open(school.tess, { baseURL: app.url })
    await page.goto(`/classes/${schoolClass.id}/work/${assignment.id}`)
    await page.getByRole('link', { name: 'Review the works' }).click()
    await work(page, 'Ann').waitFor()
    await page.locator('.sheet svg').first().waitFor()
    // At most three keys for each work: the grade, and Enter.
    for (const [name, points, next] of [
      ['Ann', '17', 'Ben'],
      ['Ben', '9', 'Cleo'],
      ['Cleo', '21', 'Cleo'],
    ] as const) {
      await work(page, name).waitFor()
      await page.waitForFunction(`document.activeElement.id === 'grade'`)
      await page.keyboard.type(points)
      await page.keyboard.press('Enter')
      await work(page, next).waitFor()
    }
    await page.getByText('Enter a number between 0 and 20.').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('12,5')
    await page.keyboard.press('Enter')
    await work(page, 'Dora').waitFor()
    await expect.poll(gradesOf).toEqual([
      ['turnedIn', 17, undefined],
      ['turnedIn', 9, undefined],
      ['turnedIn', 12.5, undefined],
      ['turnedIn', undefined, undefined],
      [undefined, undefined, undefined],
    ])
    // Nobody sees a draft.
    const ofAnn = (await students[0]?.get(`/classes/${schoolClass.id}/assignments/${assignment.id}`))?.body
    expect(ofAnn.submissions[0].state).toBe('turnedIn')
    expect(JSON.stringify(ofAnn)).not.toMatch(/grade/i)

    await page.keyboard.press('Tab')
    await page.keyboard.press('j')
    await work(page, 'Emil').waitFor()
    await page.getByText('This work has not been started.').waitFor()
    await page.keyboard.press('k')
    await work(page, 'Dora').waitFor()
    expect(new URL(page.url()).searchParams.get('student')).toBe(students[3]?.id)
    await page.getByLabel('Write a message').fill('Please add a title.')
    await saveAndInsertComment(page)
    await page.getByLabel('Write a message').fill('Please add a title.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Please add a title.').waitFor()

    await page.getByLabel('Show', { exact: true }).selectOption('Without a grade (1)')
    expect(await page.locator('.desk-list li').count()).toBe(1)
    await page.getByRole('button', { name: 'Return all with a grade: 3' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Return' }).click()
    await page.getByRole('status').getByText('Works returned: 3').waitFor()
    expect((await gradesOf()).slice(0, 4)).toEqual([
      ['returned', undefined, 17],
      ['returned', undefined, 9],
      ['returned', undefined, 12.5],
      ['turnedIn', undefined, undefined],
    ])
    await page.goto('/')
    await page.getByRole('region', { name: 'To review' }).getByRole('link', { name: /Canon/ }).click()
    await work(page, 'Dora').waitFor()
    const { page: student } = await browser.open(students[0], { baseURL: app.url })
    await student.goto('/')
    await student.getByRole('region', { name: 'Came back' }).getByText('17 of 20 points').waitFor()
    await student.goto(`/classes/${schoolClass.id}`)
    await student.getByText('17 of 20 points').waitFor()
  })

  it('grades by the levels of a rubric with a key for each, which the student sees after the return', async () => {
    const { page } = await browser.open(school.tess, { baseURL: app.url })
    const rubricWork = await newAssignment(school.tess, gradedClass, { title: 'Round', type: 'newScore' })
    const [ann, ben] = students
    if (!ann || !ben) throw new Error('The class has two students')
    for (const student of [ann, ben]) await newSubmission(student, gradedClass, rubricWork, { submit: true })
    const at = `/classes/${gradedClass.id}/assignments/${rubricWork.id}`
    const address = `/classes/${gradedClass.id}/work/${rubricWork.id}`
    await page.goto(`${address}/edit`)
    for (const [number, title] of ['Rhythm', 'Pitch'].entries()) {
      await page.getByRole('button', { name: 'Add a criterion' }).click()
      const criterion = page.getByRole('group', { name: `Criterion ${number + 1}` })
      await criterion.getByLabel('What is assessed').fill(title)
      await criterion
        .getByLabel(/Points for level/)
        .last()
        .fill('4,5')
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Rubric' }).getByText('Secure · 4.5').first().waitFor()
    expect((await school.tess.get(at)).body.maxPoints).toBe(9)

    await page.goto(`${address}/review`)
    await work(page, 'Ann').waitFor()
    await page.getByText('Levels chosen: 0 of 2').waitFor()
    await page.keyboard.press('3')
    await page.getByText('Levels chosen: 1 of 2').waitFor()
    // An incomplete choice is kept while other works are shown, and not saved.
    await page.keyboard.press('j')
    await work(page, 'Ben').waitFor()
    await page.keyboard.press('k')
    await page.getByText('Levels chosen: 1 of 2').waitFor()
    await page.keyboard.press('2')
    await page.getByText('6.5 of 9 points').waitFor()
    await expect
      .poll(async () => {
        const { submissions } = (await school.tess.get(at)).body
        return submissions.find(({ creator }: { creator: string }) => creator === ann.id).draftGrade
      })
      .toBe(6.5)

    const { page: student } = await browser.open(ann, { baseURL: app.url })
    const answers: string[] = []
    student.on('response', async (response) => {
      if (response.url().includes('/v2/')) answers.push(await response.text().catch(() => ''))
    })
    await student.goto(address)
    await student.getByRole('region', { name: 'Rubric' }).getByText('Secure · 4.5').first().waitFor()
    expect(await student.getByText('Reached:').count()).toBe(0)
    await student.waitForLoadState('networkidle')
    expect(answers.join('')).toContain('"levels"')
    expect(answers.join('')).not.toMatch(/draft(?:Grade|Rubric)|"criterion"|"grade"/)
    await page.keyboard.press('r')
    await page.getByText('The student sees this grade.').waitFor()
    await student.reload()
    await student.getByText('Reached: Secure · 4.5').waitFor()
    await student.getByText('Reached: Nearly · 2').waitFor()
    await student.getByText('6.5 of 9 points').waitFor()
  })

  it('leads from the gradebook to a work, and exports the grades', async () => {
    const { page } = await browser.open(school.tess, { baseURL: app.url })
    await page.goto(`/classes/${schoolClass.id}`)
    await page.getByRole('link', { name: 'Gradebook' }).click()
    await page
      .getByRole('row', { name: /Ben Arp/ })
      .getByText('45%')
      .waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Grades as CSV' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(lines.slice(0, 3)).toEqual(['\uFEFFName,Average (%),Canon', 'Ann Arp,85,17', 'Ben Arp,45,9'])
    await page.getByRole('link', { name: 'Canon' }).click()
    // The work that waits comes first.
    await work(page, 'Dora').waitFor()
    const exports = page.locator('.desk ~ .desk-tools')
    expect(await exports.count()).toBe(0)
    await page.setViewportSize(screens.phone)
    await exports.getByRole('button', { name: 'Grades as CSV' }).waitFor()
    await page.setViewportSize(screens.desktop)
    await page.waitForFunction(`document.activeElement.id === 'grade'`)
    await page.goto(`${desk}?student=${students[4]?.id}`)
    await page.getByRole('button', { name: 'Excuse from this work' }).press('Enter')
    await page.getByRole('button', { name: 'No longer excused' }).waitFor()
    await page.goto(`/classes/${schoolClass.id}/gradebook`)
    await page
      .getByRole('row', { name: /Emil Arp/ })
      .getByText('Excused')
      .waitFor()
  })

  it('shows administrators no scores of students, and students nothing at all', async () => {
    const refused: string[] = []
    const open = async (person: Person) => {
      const { page } = await browser.open(person, { baseURL: app.url })
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
      })
      await page.goto(`${desk}?student=${students[0]?.id}`)
      return page
    }
    const administrator = await open(school.ada)
    await administrator.getByText('Only teachers of the class see the scores of its students.').waitFor()
    expect(await grade(administrator).inputValue()).toBe('17')
    expect(await administrator.locator('.sheet').count()).toBe(0)
    const [, other] = students
    if (!other) throw new Error('The class has two students')
    const student = await open(other)
    await student.getByText('Only teachers can open this page.').waitFor()
    expect(await student.getByText('Ann').count()).toBe(0)
    await student.goto(`/classes/${schoolClass.id}/gradebook`)
    await student.getByText('Only teachers can open this page.').waitFor()
    expect(refused).toEqual([])
  })
})
