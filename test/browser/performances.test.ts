import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { usingDatabases } from '../support/databases.ts'
import { noise } from '../support/recordings.ts'
import { makeSchool, type School } from '../support/school.ts'
import { musicXml } from '../support/scores.ts'

/** A machine may be busy: only what never happens fails. */
const patient = { timeout: 30_000 }

describeInBrowser('a performance', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let school: School
  let schoolClass: TestClass
  let score: string
  let work: string

  beforeAll(async () => {
    school = await makeSchool(app)
    const { tess, sam, sol } = school
    schoolClass = await newClass(app, school.id, { teachers: [tess], students: [sam, sol] })
    const data = musicXml({ title: 'March', measures: ['C4 D4 E4 F4'] })
    score = (await tess.post('/scores', { data })).body.id
    const attachments = [{ type: 'flat', score, sharingMode: 'performance' }]
    const { id } = await newAssignment(tess, schoolClass, { type: 'performance', attachments })
    work = `/classes/${schoolClass.id}/work/${id}`
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('is recorded along with the score, sent over a bad network, handed in and heard by the teacher', async () => {
    const { context, page: student } = await browser.open(school.sam, { baseURL: app.url })
    await student.goto(work)
    const recorder = student.getByRole('region', { name: 'Record yourself' })
    await button(student, 'Turn on the microphone').click()
    await expect
      .poll(() => recorder.getByLabel('Level of the microphone').getAttribute('value').then(Number), patient)
      .toBeGreaterThan(20)
    await recorder.getByLabel('While you play, you hear').selectOption('only the metronome')
    await recorder.getByLabel('Tempo').fill('200')
    await button(student, 'Record').click()
    await recorder.getByRole('timer').waitFor()
    // The recording ends with the music.
    await recorder.getByText('Take 1', { exact: true }).waitFor()
    await button(student, 'Record').click()
    await recorder.getByText('Take 2', { exact: true }).waitFor()
    await button(student, 'Delete Take 1').press('Enter')
    await student.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect
      .poll(() => student.evaluate('document.activeElement.textContent'), patient)
      .toBe('Record yourself')

    // There is no network yet.
    await context.setOffline(true)
    await button(student, 'Use Take 2').click()
    await recorder.getByText('No connection. 0 % is sent').waitFor()
    await context.setOffline(false)
    await recorder.getByText('This recording is on the server.').waitFor()

    const [track] = (await school.sam.get(`/scores/${score}/tracks`)).body
    expect(track).toMatchObject({ title: 'Take 2', purpose: 'performanceSubmission', state: 'completed' })
    expect(track.file.mediaType).toBe('audio/webm')
    // The measure has two seconds at the written tempo.
    const [first, end] = track.synchronizationPoints
    expect([first.type, end.type]).toEqual(['measure', 'end'])
    expect(first.time).toBeGreaterThan(0)
    expect(end.time - first.time).toBeCloseTo(1, 2)

    // The second recording is a file. Parts that have arrived are not sent again.
    const sent: number[] = []
    await student.route('**/parts/*', async (route) => {
      const start = Number(route.request().url().split('/').at(-1))
      sent.push(start)
      if (sent.length === 2) await route.abort()
      else await route.continue()
    })
    const buffer = noise(600_000)
    await recorder
      .locator('input[type=file]')
      .setInputFiles({ name: 'march.wav', mimeType: 'audio/wav', buffer })
    await button(student, 'Use march.wav').click()
    await recorder.getByText(/^march\.wav, /).waitFor()
    expect(sent).toEqual([0, 262_144, 262_144, 524_288])
    const [newest] = (await school.sam.get(`/scores/${score}/tracks`)).body
    expect(buffer.equals((await school.sam.get(`/scores/${score}/tracks/${newest.id}/file`)).bytes)).toBe(
      true,
    )
    await button(student, 'Delete march.wav').click()
    await student.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => recorder.getByText(/^march\.wav, /).count(), patient).toBe(0)

    await button(student, 'Hand in').click()
    await recorder.waitFor({ state: 'detached' })

    const { page: teacher } = await browser.open(school.tess, { baseURL: app.url })
    await teacher.goto(`${work}/review`)
    await teacher.getByText('Take 2', { exact: true }).waitFor()
    const position = teacher.getByLabel('Position')
    // The count-in is skipped.
    await expect
      .poll(() => position.inputValue().then(Number), patient)
      .toBeCloseTo(Math.max(0, first.time - 0.5), 0)
    await button(teacher, 'Play').click()
    await expect.poll(() => position.inputValue().then(Number), patient).toBeGreaterThan(first.time)
    await teacher.locator('rect.sheet-cursor').waitFor()
  })

  it('says what is wrong with the microphone, and takes a file where the browser cannot record', async () => {
    const { page } = await browser.open(school.sol, { baseURL: app.url })
    await page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('', 'NotAllowedError')
    }`)
    await page.goto(work)
    await button(page, 'Turn on the microphone').click()
    await page.getByText('The browser does not let this page use the microphone.').waitFor()
    await page.addInitScript('delete globalThis.MediaRecorder')
    await page.reload()
    await page.getByText('This browser cannot record on this page.').waitFor()
    const file = { name: 'notes.txt', mimeType: 'audio/wav', buffer: Buffer.from('No sound') }
    await page.locator('.recorder input[type=file]').setInputFiles(file)
    await button(page, 'Use notes.txt').click()
    await page.getByText('The server does not know this kind of file.').waitFor()
    await button(page, 'Delete notes.txt').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Use notes.txt').waitFor({ state: 'detached' })
  })
})
