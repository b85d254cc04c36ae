import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { createContext } from '../src/create-context.ts'
import { createSession } from '../src/auth/sessions/session.ts'
import { insertOrganization, newOrganization } from '../src/features/people/organizations/store.ts'
import { browserPath } from '../test/support/browser-program.ts'
import { fromOwnPage } from '../test/support/client.ts'
import { createPerson } from '../test/support/people.ts'
import { findPostgres } from '../test/support/postgres-server.ts'
import { base64, musicXml } from '../test/support/scores.ts'
import { quantile } from './quantile.ts'
import { type LessonBrowser, startLessonBrowser } from './lesson-browser.ts'
import { type Partita, startPartita } from './servers.ts'

/** People of the roster, with a teacher for each class. */
const people = 1000
/** Pupils of the whole school, and of one class. */
const [pupilsInSchool, pupilsInClass] = [300, 30]
const openingMs = 2000
const handInMs = 60_000

/** A member whose requests the benchmark sends, as a browser with a session does. */
interface Member {
  readonly id: string
  readonly cookie: string
}

type Row = Record<string, string | number>

/**
 * Prints what a school waits for on its busiest day, on each database: the import of a roster of 1,000 people, a class that joins
 * by its code, a class that opens an assignment within two seconds, 300 pupils who hand in within a minute, and a teacher who
 * grades. Fails if a request was refused.
 */
export async function benchSchoolDay(): Promise<void> {
  const postgresUrl = await findPostgres()
  await benchDatabase('SQLite', undefined)
  if (postgresUrl) await benchDatabase('PostgreSQL', postgresUrl)
  else console.log('PostgreSQL: no server here, so not measured')
}

async function benchDatabase(database: string, url: string | undefined): Promise<void> {
  const partita = await startPartita(url)
  const rows: Record<string, Row> = {}
  const note = (what: string, durations: readonly number[], errors: readonly string[]) => {
    rows[what] = rowOf(durations, errors)
    if (errors.length > 0) process.exitCode = 1
    console.log(`${database}, ${what}: ${JSON.stringify(rows[what])}`)
    for (const error of errors.slice(0, 3)) console.log(`  ${error}`)
  }
  const ctx = await createContext(readConfig({ ...partita.storage, logLevel: 'silent' }, {}))
  const browser = browserPath ? await startLessonBrowser(partita.url) : undefined
  try {
    const lesson = await makeLesson(partita, ctx)
    await importRoster(lesson, note)
    await join(lesson, note)
    if (browser) await open(lesson, browser, note)
    else console.log('There is no Chromium, so the pages are not measured')
    const desk = await handIn(lesson, note)
    if (browser)
      for (const [pace, pauseMs] of Object.entries({ 'in three seconds': 3000, 'at once': 0 })) {
        const times = await browser.grade(lesson.teacher.cookie, desk[pauseMs === 0 ? 1 : 0] ?? '', pauseMs)
        note(`next pupil in the grading desk, after a grade ${pace}`, times, [])
      }
    console.log(`\n${database}: a busy day of a school, in ms`)
    console.table(rows)
  } finally {
    await browser?.close()
    await ctx.close()
    await partita.stop()
  }
}

type Note = (what: string, durations: readonly number[], errors: readonly string[]) => void

function rowOf(durations: readonly number[], errors: readonly string[]): Row {
  const at = (share: number) => Math.round(quantile(durations, share))
  return { number: durations.length, p50: at(0.5), p95: at(0.95), longest: at(1), errors: errors.length }
}

interface Lesson {
  readonly administrator: Member
  readonly teacher: Member
  readonly pupils: readonly Member[]
  /** Sends a request of a member. Throws with the answer if it is refused. */
  send(member: Member, method: string, path: string, body?: unknown): Promise<Response>
  json<Body>(member: Member, method: string, path: string, body?: unknown): Promise<Body>
}

async function makeLesson({ url }: Partita, ctx: Context): Promise<Lesson> {
  const organization = ctx.newId()
  await ctx.transaction((tx) =>
    insertOrganization(tx, newOrganization(organization, 'Measured', ctx.clock.now())),
  )
  async function member(username: string, role: 'admin' | 'teacher' | 'user'): Promise<Member> {
    const { id } = await createPerson(ctx, url, username, { organization, role })
    const session = await ctx.transaction((tx) => createSession(ctx, tx, id))
    return { id, cookie: `partita_session=${session}` }
  }
  const pupils: Member[] = []
  for (let number = 1; number <= pupilsInSchool; number++) pupils.push(await member(`pupil${number}`, 'user'))
  async function send({ cookie }: Member, method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...fromOwnPage,
        Cookie: cookie,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 200)}`)
  }
  return {
    administrator: await member('measured.admin', 'admin'),
    teacher: await member('measured.teacher', 'teacher'),
    pupils,
    send,
    json: async <Body>(...request: Parameters<typeof send>) =>
      (await (await send(...request)).json()) as Body,
  }
}

/** Does the same for each member at its time. Returns how long each took, and the errors. */
async function together(
  members: readonly Member[],
  withinMs: number,
  work: (member: Member, number: number) => Promise<unknown>,
): Promise<{ durations: number[]; errors: string[] }> {
  const durations: number[] = []
  const errors: string[] = []
  await Promise.all(
    members.map(async (member, number) => {
      await delay((number * withinMs) / members.length)
      const startedAt = performance.now()
      try {
        await work(member, number)
        durations.push(performance.now() - startedAt)
      } catch (error) {
        errors.push(String(error))
      }
    }),
  )
  return { durations, errors }
}

/** Imports the roster as its page does: first a preview, then in requests of a few seconds. */
async function importRoster({ administrator, json }: Lesson, note: Note): Promise<void> {
  const lines = Array.from({ length: people }, (_, n) => {
    const isTeacher = n % 30 === 0
    return `R${n},roster.person${n},First${n},Last${n},${isTeacher ? 'teacher' : 'student'},Class ${Math.floor(n / 30)}`
  })
  const content = base64(['id,username,firstname,lastname,role,class', ...lines].join('\n'))
  const files = [{ name: 'people.csv', content }]
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const preview = await timed(() =>
    json(administrator, 'POST', '/internal/organization/roster/preview', { files }),
  )
  note(`preview of a roster of ${people}`, [preview], [])
  const imported = await timed(async () => {
    for (;;) {
      const body = { files, createPasswords: true }
      const { isDone, remaining } = await json<{ isDone: boolean; remaining: number }>(
        administrator,
        'POST',
        '/internal/organization/roster',
        body,
      )
      process.stderr.write(`\rimport: ${remaining} changes remain\u001b[K`)
      if (isDone) return process.stderr.write('\n')
    }
  })
  note(`import of a roster of ${people}, with first passwords`, [imported], [])
}

async function join({ teacher, pupils, send, json }: Lesson, note: Note): Promise<void> {
  const { enrollmentCode } = await json<{ enrollmentCode: string }>(teacher, 'POST', '/v2/classes', {
    name: 'Joined',
  })
  const { durations, errors } = await together(pupils.slice(0, pupilsInClass), 0, (pupil) =>
    send(pupil, 'POST', `/v2/classes/enroll/${enrollmentCode}`),
  )
  note(`${pupilsInClass} pupils join at once`, durations, errors)
}

/** A class with pupils, and an assignment of the type. Returns the path of the assignment in the interface. */
async function newAssignment(
  { teacher, send, json }: Lesson,
  pupils: readonly Member[],
  properties: object,
): Promise<{ schoolClass: string; assignment: string }> {
  const created = await json<{ id: string; enrollmentCode: string }>(teacher, 'POST', '/v2/classes', {
    name: 'Measured',
  })
  for (const pupil of pupils) await send(pupil, 'POST', `/v2/classes/enroll/${created.enrollmentCode}`)
  const { id } = await json<{ id: string }>(teacher, 'POST', `/v2/classes/${created.id}/assignments`, {
    title: 'Measured',
    state: 'active',
    ...properties,
  })
  return { schoolClass: created.id, assignment: id }
}

/** Pupils open a page: the requests are those of a browser without a cache, for an assignment that nobody has opened. */
async function open(lesson: Lesson, browser: LessonBrowser, note: Note): Promise<void> {
  const { pupils, teacher, send, json } = lesson
  const pupilsOfClass = pupils.slice(0, pupilsInClass)
  const given = async (title: string) => {
    const measures = Array.from({ length: 60 }, () => 'C4 E4 G4 E4')
    const { id: score } = await json<{ id: string }>(teacher, 'POST', '/v2/scores', {
      data: musicXml({ title, measures }),
    })
    const attachments = [{ type: 'flat', score, sharingMode: 'performance' }]
    return { score, ...(await newAssignment(lesson, pupilsOfClass, { type: 'performance', attachments })) }
  }
  const [seen, fresh] = [await given('Seen'), await given('Fresh')]
  const pathOf = ({ schoolClass, assignment }: typeof seen) => `/classes/${schoolClass}/work/${assignment}`
  const [first = teacher] = pupilsOfClass
  const requests = await browser.requestsOf(first.cookie, pathOf(seen), '.sheet svg')
  const replaced = requests.map((path) =>
    (['schoolClass', 'assignment', 'score'] as const).reduce(
      (other, name) => other.replaceAll(seen[name], fresh[name]),
      path,
    ),
  )
  console.log(`A pupil who opens the assignment sends ${requests.length} requests`)
  for (const path of replaced.filter((one) => !one.startsWith('/app/'))) console.log(`  ${path}`)
  const openedBy = async (pupil: Member) => {
    const [page = '', ...others] = replaced
    await (await send(pupil, 'GET', page)).arrayBuffer()
    await Promise.all(others.map(async (path) => (await send(pupil, 'GET', path)).arrayBuffer()))
  }
  const { durations, errors } = await together(pupilsOfClass, openingMs, openedBy)
  note(`${pupilsInClass} pupils open an assignment within ${openingMs / 1000} s`, durations, errors)
}

/** Pupils of ten classes hand in the scores that they have uploaded. Returns the addresses of two grading desks. */
async function handIn(lesson: Lesson, note: Note): Promise<string[]> {
  const { pupils, send, json } = lesson
  const classes: { schoolClass: string; assignment: string }[] = []
  for (let start = 0; start < pupilsInSchool; start += pupilsInClass)
    classes.push(
      await newAssignment(lesson, pupils.slice(start, start + pupilsInClass), {
        type: 'newScore',
        maxPoints: 20,
      }),
    )
  const [starts, uploads, submits]: number[][] = [[], [], []]
  const timed = async <Result>(durations: number[] | undefined, work: () => Promise<Result>) => {
    const startedAt = performance.now()
    const result = await work()
    durations?.push(performance.now() - startedAt)
    return result
  }
  const { errors } = await together(pupils, handInMs, async (pupil, number) => {
    const { schoolClass, assignment } = classes[Math.floor(number / pupilsInClass)] ?? {
      schoolClass: '',
      assignment: '',
    }
    const path = `/v2/classes/${schoolClass}/assignments/${assignment}/submissions`
    const { attachments } = await timed(starts, () =>
      json<{ attachments: { score: string }[] }>(pupil, 'PUT', path, {}),
    )
    const score = attachments[0]?.score
    const pitches = ['C', 'D', 'E', 'F', 'G', 'A']
    const measures = Array.from(
      { length: 32 },
      (_, n) =>
        `${pitches[(n + number) % 6]}4 ${pitches[number % 6]}4 E4 ${pitches[Math.floor(number / 6) % 6]}4`,
    )
    const data = musicXml({ title: `Work ${number}`, measures })
    await timed(uploads, () => send(pupil, 'POST', `/v2/scores/${score}/revisions`, { data }))
    await timed(submits, () => send(pupil, 'PUT', path, { submit: true }))
    process.stderr.write(`\rhanding in: ${submits?.length} of ${pupils.length}\u001b[K`)
  })
  process.stderr.write('\n')
  const what = `${pupilsInSchool} pupils in ${handInMs / 1000} s`
  note(`${what}: start the work`, starts ?? [], errors)
  note(`${what}: upload the score`, uploads ?? [], [])
  note(`${what}: hand in`, submits ?? [], [])
  return classes.map(({ schoolClass, assignment }) => `/classes/${schoolClass}/work/${assignment}/review`)
}
