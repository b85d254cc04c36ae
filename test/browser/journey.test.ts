import { readFile, writeFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { chooseRoster } from '../support/rosters.ts'
import { musicXml } from '../support/scores.ts'

// The journey runs on SQLite. `PARTITA_JOURNEY_DATABASE=postgres` runs it on PostgreSQL.
const dialect = process.env.PARTITA_JOURNEY_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

const kinds = [
  'Reading or listening',
  'A score to work on',
  'A new score',
  'Playing a score',
  'Exercises',
  'Writing together',
] as const

describeInBrowser(`the first lesson of a school (${dialect})`, (browser) => {
  const app = useApp(usingDatabases(dialect))

  /** What people do, by the part of the journey. `PARTITA_JOURNEY_COUNTS=file` writes it. */
  const counts: { part: string; clicks: number; keys: number; seconds: number }[] = []
  const latest = () => counts.at(-1) ?? { part: '', clicks: 0, keys: 0, seconds: 0 }
  let startedAt = 0
  function begin(part: string): void {
    if (counts.length > 0) latest().seconds = Math.round((performance.now() - startedAt) / 100) / 10
    startedAt = performance.now()
    counts.push({ part, clicks: 0, keys: 0, seconds: 0 })
  }

  /** Counts clicks and keys. What a test fills into a field is no key. */
  async function counting(context: BrowserContext): Promise<void> {
    await context.exposeFunction('counted', (kind: 'clicks' | 'keys') => {
      latest()[kind] += 1
    })
    await context.addInitScript(`
      addEventListener('pointerdown', () => void window.counted('clicks'), true)
      addEventListener('keydown', () => void window.counted('keys'), true)`)
  }

  async function open(options: object = {}): Promise<Page> {
    const { context, page } = await browser.open(undefined, { baseURL: app.url, ...options })
    await counting(context)
    return page
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  /** Fills in the form for signing in. The first password of a roster leads to the choice of an own one. */
  async function signIn(page: Page, username: string, password: string): Promise<void> {
    await page.getByLabel('Username or e-mail address').fill(username)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
  }
  async function keepPassword(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Continue without another password' }).click()
  }

  async function give(teacher: Page, kind: (typeof kinds)[number]): Promise<void> {
    await teacher.getByRole('link', { name: 'New assignment' }).click()
    await teacher.getByLabel('Title').fill(`Work: ${kind}`)
    await teacher.getByText(kind).click()
    if (kind === 'A score to work on' || kind === 'Playing a score') {
      await button(teacher, 'Add a score').click()
      await teacher.getByRole('dialog').getByRole('button', { name: 'Evening song' }).click()
    }
    if (kind === 'A new score') await teacher.getByLabel('Points for the whole work').fill('20')
    if (kind === 'Exercises') {
      await button(teacher, 'Add notes to name').click()
      await teacher.getByRole('group', { name: 'Exercise 1' }).getByLabel('Notes').fill('C4 E4')
    }
    await button(teacher, 'Give to the class').click()
    await heading(teacher, `Work: ${kind}`).waitFor()
    await teacher.getByRole('link', { name: 'Strings 4b' }).first().click()
    await heading(teacher, 'Strings 4b').waitFor()
  }

  it('leads from an empty school to grades that pupils see and a teacher exports', {
    timeout: 180_000,
  }, async () => {
    const organization = await app.organization('New school')
    await app.person('ada', { organization, role: 'admin' })

    begin('administrator imports people')
    const administrator = await open()
    await administrator.goto('/organization/members')
    await signIn(administrator, 'ada', 'correct horse')
    await administrator.getByRole('link', { name: 'Import a roster' }).click()
    const people = ['tess,Tess,teacher', 'ann,Ann,student', 'ben,Ben,student']
    await chooseRoster(
      administrator,
      'username,firstname,role,password',
      ...people.map((one) => `${one},violet kite`),
    )
    await button(administrator, 'Import now').click()
    await administrator.getByRole('heading', { name: 'The roster was imported.' }).waitFor()

    begin('teacher makes a class and projects the code')
    const teacher = await open()
    await teacher.goto('/auth/signin')
    await signIn(teacher, 'tess', 'violet kite')
    await keepPassword(teacher)
    await teacher.getByRole('link', { name: 'Classes' }).click()
    await teacher.getByRole('link', { name: 'New class' }).click()
    await teacher.getByLabel('Name of the class').fill('Strings 4b')
    await button(teacher, 'Create class').click()
    await teacher.getByRole('link', { name: 'Show the code in large' }).click()
    const code = (await teacher.locator('.enrolment-letters').textContent()) ?? ''

    const pupils: Page[] = []
    for (const username of ['ann', 'ben']) {
      begin(`pupil joins: ${username}`)
      const pupil = await open({ viewport: screens.phone })
      await pupil.goto(`/join/${code}`)
      await signIn(pupil, username, 'violet kite')
      await keepPassword(pupil)
      await button(pupil, 'Join now').click()
      await heading(pupil, 'Strings 4b').waitFor()
      pupils.push(pupil)
    }
    await teacher.getByText('Students in the class: 2').waitFor()
    await teacher.getByRole('link', { name: 'Back to the class' }).click()
    await teacher.getByRole('link', { name: 'Work', exact: true }).click()

    const loaded = await teacher.evaluate(
      async (data) => {
        const headers = { 'Content-Type': 'application/json', 'X-Partita-Client': 'test' }
        return (await fetch('/v2/scores', { method: 'POST', headers, body: data })).status
      },
      JSON.stringify({ data: musicXml({ title: 'Evening song' }), collection: 'root' }),
    )
    expect(loaded).toBe(200)
    for (const kind of kinds) {
      begin(`teacher gives: ${kind}`)
      await give(teacher, kind)
    }

    for (const [index, pupil] of pupils.entries()) {
      begin(`pupil ${index + 1} uploads, and answers exercises`)
      await pupil.reload()
      const todo = pupil.getByRole('region', { name: 'To do' })
      await todo.getByRole('link', { name: /Work: A new score/ }).click()
      await button(pupil, 'Start').click()
      await pupil.locator('input[type=file]').setInputFiles({
        name: 'melody.musicxml',
        mimeType: 'application/vnd.recordare.musicxml+xml',
        buffer: Buffer.from(musicXml({ title: `Melody ${index}` })),
      })
      await pupil.getByText('melody.musicxml is in your score now.').waitFor()
      await button(pupil, 'Hand in').click()
      await button(pupil, 'Take back').waitFor()
      await pupil.getByRole('link', { name: 'Strings 4b' }).first().click()
      await todo.getByRole('link', { name: /Work: Exercises/ }).click()
      await pupil.getByLabel(/Name the notes/).fill('C E')
      await button(pupil, 'Hand in').click()
      await button(pupil, 'Take back').waitFor()
    }

    begin('teacher opens the grading desk')
    await teacher.reload()
    await teacher.getByRole('link', { name: /Work: A new score/ }).click()
    await teacher.getByRole('link', { name: 'Review the works' }).click()
    for (const [name, points] of [
      ['Ann', '17'],
      ['Ben', '9'],
    ] as const) {
      await teacher.getByRole('heading', { level: 2, name: new RegExp(`^${name}`) }).waitFor()
      await expect.poll(() => teacher.evaluate('document.activeElement.id')).toBe('grade')
      begin(`teacher grades ${name}`)
      await teacher.keyboard.type(points)
      await teacher.keyboard.press('Enter')
    }
    begin('teacher returns all')
    await button(teacher, 'Return all with a grade: 2').click()
    await teacher.getByRole('alertdialog').getByRole('button', { name: 'Return' }).click()
    await teacher.getByText('Works returned: 2').waitFor()

    begin('pupil sees the grade')
    await pupils[0]?.goto('/')
    await pupils[0]?.getByRole('region', { name: 'Came back' }).getByText('17 of 20 points').waitFor()

    begin('teacher exports the gradebook')
    await teacher.getByRole('link', { name: 'Strings 4b' }).first().click()
    await teacher.getByRole('link', { name: 'Review the works' }).waitFor()
    await teacher.getByRole('link', { name: 'Strings 4b' }).first().click()
    await teacher.getByRole('link', { name: 'Gradebook' }).click()
    const [file] = await Promise.all([
      teacher.waitForEvent('download'),
      button(teacher, 'Grades as CSV').click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(lines[1]).toMatch(/^Ann,/)
    expect(lines.slice(1, 3).map((line) => line.split(',').includes('17'))).toEqual([true, false])
    begin('')
    counts.pop()

    const report = process.env.PARTITA_JOURNEY_COUNTS
    if (report) await writeFile(report, counts.map((one) => JSON.stringify(one)).join('\n'))
    for (const { part, clicks, keys } of counts.filter(({ part }) => part.startsWith('teacher grades'))) {
      expect([part, clicks]).toEqual([part, 0])
      expect(keys).toBeLessThanOrEqual(4)
    }
  })
})
