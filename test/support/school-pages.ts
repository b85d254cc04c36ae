import type { Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { newAssignment } from './assignments.ts'
import { screens } from './chromium.ts'
import { givePins } from './class-pins.ts'
import { newClass, newSubGroup, setClassState } from './classes.ts'
import type { PageState } from './pages.ts'
import { resourcePageStates } from './resource-pages.ts'
import { wavOf } from './recordings.ts'
import { musicXml } from './scores.ts'
import { internalClient } from './client.ts'
import { signedIn } from './sessions.ts'
import { newSubmission } from './submissions.ts'
import type { Person } from './people.ts'

const longName = 'Orchestra of the lower school with a very long name that no card can show in one line'

/** Returns pages as young students see them. */
async function simplePageStates(
  app: TestApp,
  at: StateMaker,
  { teacher, school }: { teacher: Person; school: string },
): Promise<PageState[]> {
  const student = await app.person('sima', { organization: school, firstname: 'Sima', lastname: 'Simple' })
  const young = await newClass(app, school, { teachers: [teacher], students: [student] })
  await internalClient(await signedIn(app, teacher)).put(`/classes/${young.id}/display`, {
    simplePages: true,
  })
  const task = { title: 'Clap the rhythm', description: 'Clap the rhythm. Then play it.', type: 'newScore' }
  const { id } = await newAssignment(teacher, young, task)
  return [at('simple-home', '/', student), at('simple-work', `/classes/${young.id}/work/${id}`, student)]
}

/** Returns the pages on which students sign in with a PIN, and that of their teacher. */
async function pinPageStates(
  app: TestApp,
  at: StateMaker,
  after: ActingStateMaker,
  { school, teacher, student }: { school: string; teacher: Person; student: Person },
): Promise<PageState[]> {
  const pupils: Person[] = [student]
  for (const firstname of ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil', 'Maximiliane-Charlotte'])
    pupils.push(
      await app.person(`young.${firstname.slice(0, 4)}`, {
        organization: school,
        firstname,
        lastname: 'Arp',
      }),
    )
  const young = await newClass(app, school, { teachers: [teacher], students: pupils })
  const { code, cards } = await givePins(app, school, young, teacher)
  const path = `/auth/class/${code}`
  return [
    at('class-sign-in', path),
    at('class-sign-in-unknown', '/auth/class/unknown'),
    after('class-sign-in-pin', `${path}/${cards[0]?.id}`, undefined, async (page) => {
      await page.getByRole('button', { name: '3' }).click()
    }),
    at('class-pins', `/classes/${young.id}/sign-in`, teacher),
    after('class-pins-cards', `/classes/${young.id}/sign-in`, teacher, async (page) => {
      await page.getByRole('button', { name: 'New PIN for Ann' }).click()
      await page.getByRole('button', { name: 'Print the cards' }).waitFor()
    }),
  ]
}

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
  const work = await addWork(teacher, student, strings)
  const mailToken = app.ctx.mailTokens.tokenOf(student.id, '')
  const workAt = (name: string, one: { id: string }, as: Person, rest = '') =>
    at(name, `/classes/${strings.id}/work/${one.id}${rest}`, as)
  return [
    at('classes', '/classes?archived=1', teacher),
    at('classes-student', '/classes', student),
    at('classes-empty', '/classes', newcomer),
    after('home-student', '/', student, (page) => page.getByText('A melody of eight measures').waitFor()),
    after('home-teacher', '/', teacher, (page) => page.getByText('To review: 1').waitFor()),
    at('notifications', '/notifications', student),
    at('notifications-teacher', '/notifications', teacher),
    at('notifications-empty', '/notifications', newcomer),
    after('notifications-address', '/notifications', second, async (page) => {
      await page.getByRole('button', { name: 'Create an address' }).click()
      await page.getByRole('button', { name: 'Copy' }).waitFor()
    }),
    after('mails', `/auth/mails/${mailToken}`, undefined, async (page) => {
      await page.getByLabel('Once a week, on Monday').check()
      await page.getByRole('button', { name: 'Save choice' }).click()
      await page.getByText('Your choice is saved.').waitFor()
    }),
    at('mails-unknown', '/auth/mails/unknown'),
    at('class-new', '/classes/new', teacher),
    at('class-work', `/classes/${strings.id}`, teacher),
    at('class-work-student', `/classes/${strings.id}`, student),
    at('class-month', `/classes/${strings.id}?view=month`, student),
    at('class-work-empty', `/classes/${empty.id}`, teacher),
    at('class-people', `/classes/${strings.id}/people`, teacher),
    at('class-gradebook-student', `/classes/${strings.id}/gradebook`, student),
    at('class-people-student', `/classes/${strings.id}/people`, student),
    after('class-group', `/classes/${strings.id}/people`, teacher, async (page) => {
      await page.getByRole('button', { name: 'Change group Cellos' }).click()
      await page.getByRole('dialog').getByText('Milo Müller').waitFor()
    }),
    at('class-pins-off', `/classes/${strings.id}/sign-in`, student),
    ...(await pinPageStates(app, at, after, { school, teacher, student })),
    ...(await simplePageStates(app, at, { teacher, school })),
    at('class-code', `/classes/${strings.id}/code`, teacher),
    at('class-settings', `/classes/${strings.id}/settings`, teacher),
    at('class-settings-archived', `/classes/${archived.id}/settings`, teacher),
    at('class-none', '/classes/0123456789abcdef01234567', teacher),
    after('work-new', `/classes/${strings.id}/work/new`, teacher, async (page) => {
      await page.getByText('A new score: each student').click()
      await page.getByRole('button', { name: 'Add a criterion' }).click()
    }),
    workAt('work-edit', work.worksheet, teacher, '/edit'),
    workAt('work-teacher', work.worksheet, teacher),
    workAt('work-draft', work.draft, teacher),
    workAt('work-to-read', work.text, student),
    workAt('work-worksheet', work.worksheet, student),
    workAt('work-returned', work.back, student),
    after('work-score', `/classes/${strings.id}/work/${work.score.id}`, student, async (page) => {
      await page.getByRole('button', { name: 'Start' }).click()
      await scoreInBothSizes(page)
    }),
    after('work-recorder', `/classes/${strings.id}/work/${work.performance.id}`, student, async (page) => {
      await scoreInBothSizes(page)
      await page.getByRole('button', { name: 'Turn on the microphone' }).click()
      const file = { name: 'march.wav', mimeType: 'audio/wav', buffer: wavOf() }
      await page.locator('.recorder input[type=file]').setInputFiles(file)
      await page.getByRole('button', { name: 'Use march.wav' }).waitFor()
    }),
    after('work-pick-score', `/classes/${strings.id}/work/new`, teacher, async (page) => {
      await page.getByRole('button', { name: 'Add a score' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    }),
    workAt('work-preview', work.worksheet, teacher, '?as=student'),
    after('work-reuse', `/classes/${strings.id}/work/new`, teacher, async (page) => {
      await page.getByRole('button', { name: 'Reuse an assignment' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Strings 4b' }).click()
      await page.getByRole('dialog').getByText('Echo').waitFor()
    }),
    workAt('work-none', { id: '0123456789abcdef01234567' }, student),
    after('review', `/classes/${strings.id}/work/${work.done.id}/review`, teacher, scoreInBothSizes),
    after('review-rubric', `/classes/${strings.id}/work/${work.back.id}/review`, teacher, scoreInBothSizes),
    workAt('review-missing', work.score, teacher, '/review'),
    workAt('review-worksheet', work.worksheet, teacher, '/review'),
    at('gradebook', `/classes/${strings.id}/gradebook`, teacher),
    at('gradebook-empty', `/classes/${empty.id}/gradebook`, teacher),
    ...(await resourcePageStates(at, after, teacher, student)),
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

/** Shows a score once in each size of the window, so that no page of it is still on its way when the size changes. */
async function scoreInBothSizes(page: Page): Promise<void> {
  for (const screen of ['phone', 'desktop'] as const) {
    await page.setViewportSize(screens[screen])
    await page.locator('.sheet svg').first().waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.waitForLoadState('networkidle')
  }
}

/** Adds an assignment in each state that a student can meet. */
async function addWork(teacher: Person, student: Person, schoolClass: { id: string }) {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const give = (title: string, more: object) =>
    newAssignment(teacher, schoolClass, { title, type: 'newScore', ...more })
  const description = 'Write a melody of eight measures.\nIt begins and ends with the same note.'
  const score = await give('A melody of eight measures', { description, dueDate: at(2), maxPoints: 10 })
  await give('The first scale', { dueDate: at(-3) })
  const attachments = [
    { type: 'link', url: 'https://example.com/a-page-with-quite-a-long-address-for-a-telephone' },
  ]
  const text = await give('What an orchestra is', { type: 'none', description, attachments })
  const draft = await give('Next month', { state: 'draft', scheduledDate: at(20) })
  const exercises = [
    {
      id: '1',
      type: 'multipleChoice',
      prompt: 'Which of them are voices?',
      choices: ['alto', 'oboe', 'tenor'].map((voice) => ({ id: voice, text: voice })),
      solution: ['alto', 'tenor'],
    },
    { id: '2', type: 'noteNaming', prompt: 'Name the notes.', notes: ['E4', 'G4', 'Bb4'], points: 3 },
    { id: '3', type: 'rhythm', solution: ['1/4', '1/8', '1/8', 'r1/2'] },
  ]
  const worksheet = await give('Notes and rhythms', { type: 'worksheet', exercises, releaseGrades: 'auto' })
  const { body: march } = await teacher.post('/scores', { data: musicXml({ title: 'March' }) })
  const played = [{ type: 'flat', score: march.id, sharingMode: 'performance' }]
  const performance = await give('March', { type: 'performance', attachments: played })
  const done = await give('Echo', { dueDate: at(5), maxPoints: 20 })
  await newSubmission(student, schoolClass, done, { submit: true })
  const levels = [
    { title: 'Not yet', points: 1 },
    { title: 'The voices enter one after the other and stay together', points: 9 },
  ]
  const criteria = ['Entries', 'Harmony'].map((title) => ({
    ...{ id: title, title, description: `${title} of all voices`, points: 9, levels },
  }))
  const back = await give('Canon', { maxPoints: 18, rubric: { criteria } })
  const { id } = await newSubmission(student, schoolClass, back, { submit: true })
  const submission = `/classes/${schoolClass.id}/assignments/${back.id}/submissions/${id}`
  await teacher.put(submission, {
    rubric: [
      { criterion: 'Entries', points: 9 },
      { criterion: 'Harmony', points: 1 },
    ],
    return: true,
  })
  await teacher.post(`${submission}/comments`, { comment: 'Well done. Look at measure 7 again.' })
  return { score, text, draft, worksheet, performance, done, back }
}
