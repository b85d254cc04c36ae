import type { Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { newAssignment } from './assignments.ts'
import { newClass, newSubGroup, setClassState } from './classes.ts'
import type { PageState } from './pages.ts'
import { newSubmission } from './submissions.ts'
import type { Person } from './people.ts'

const longName = 'Orchestra of the lower school with a very long name that no card can show in one line'

/** Returns the pages of classes, of their work and of joining, in each of their states. */
export async function schoolPageStates(
  app: TestApp,
  at: StateMaker,
  after: ActingStateMaker,
): Promise<PageState[]> {
  const school = await app.organization('Music school')
  const person = (username: string, names: object, role: 'teacher' | 'user' = 'user') =>
    app.person(username, { organization: school, role, ...names })
  const [teacher, student, newcomer] = [
    await person('tina', { firstname: 'Tina', lastname: 'Teacher' }, 'teacher'),
    await person('milo', { firstname: 'Milo', lastname: 'Müller' }),
    await person('mia', {}),
  ]
  const second = await person('tom', { firstname: 'Tom', lastname: 'Tenor' }, 'teacher')
  const strings = (
    await teacher.post('/classes', {
      name: 'Strings 4b',
      section: 'Room 12',
      theme: 'green',
      level: 'elementary',
    })
  ).body
  const empty = (await teacher.post('/classes', { name: longName, theme: 'red' })).body
  await second.post(`/classes/enroll/${strings.enrollmentCode}`)
  await student.post(`/classes/enroll/${strings.enrollmentCode}`)
  const archived = await newClass(app, school, { teachers: [teacher], students: [student] })
  await setClassState(app, archived, 'archived')
  const inactive = await newClass(app, school, { teachers: [teacher] })
  await setClassState(app, inactive, 'inactive')
  await newSubGroup(teacher, strings, 'Cellos', student)
  await addWork(teacher, student, strings)
  return [
    at('classes', '/classes?archived=1', teacher),
    at('classes-student', '/classes', student),
    at('classes-empty', '/classes', newcomer),
    at('class-new', '/classes/new', teacher),
    at('class-work', `/classes/${strings.id}`, teacher),
    at('class-work-student', `/classes/${strings.id}`, student),
    at('class-work-empty', `/classes/${empty.id}`, teacher),
    at('class-people', `/classes/${strings.id}/people`, teacher),
    at('class-people-student', `/classes/${strings.id}/people`, student),
    after('class-group', `/classes/${strings.id}/people`, teacher, async (page) => {
      await page.getByRole('button', { name: 'Change group Cellos' }).click()
      await page.getByRole('dialog').getByText('Milo Müller').waitFor()
    }),
    at('class-code', `/classes/${strings.id}/code`, teacher),
    at('class-settings', `/classes/${strings.id}/settings`, teacher),
    at('class-settings-archived', `/classes/${archived.id}/settings`, teacher),
    at('class-none', '/classes/0123456789abcdef01234567', teacher),
    at('join', '/join', newcomer),
    at('join-code', `/join/${strings.enrollmentCode}`, newcomer),
    after('join-unknown', '/join/zzzzzzzz', newcomer, async (page) => {
      await page.getByRole('button', { name: 'Join now' }).click()
      await page.getByText('No class has this code').waitFor()
    }),
  ]
}

export type StateMaker = (name: string, path: string, as?: Person) => PageState
export type ActingStateMaker = (
  name: string,
  path: string,
  as: Person | undefined,
  act: (page: Page) => Promise<unknown>,
) => PageState

/** Adds an assignment in each state that a student can meet. */
async function addWork(teacher: Person, student: Person, schoolClass: { id: string }): Promise<void> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const give = (title: string, more: object) =>
    newAssignment(teacher, schoolClass, { title, type: 'newScore', ...more })
  await give('A melody of eight measures', { dueDate: at(2), maxPoints: 10 })
  await give('The first scale', { dueDate: at(-3) })
  await give('What an orchestra is', { type: 'none' })
  await give('Next month', { state: 'draft', scheduledDate: at(20) })
  const done = await give('Echo', { dueDate: at(5), maxPoints: 20 })
  await newSubmission(student, schoolClass, done, { submit: true })
  const back = await give('Canon', { maxPoints: 20 })
  const { id } = await newSubmission(student, schoolClass, back, { submit: true })
  await teacher.put(`/classes/${schoolClass.id}/assignments/${back.id}/submissions/${id}`, {
    grade: 17,
    return: true,
  })
}
