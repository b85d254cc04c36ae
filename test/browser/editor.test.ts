import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

describeInBrowser('the editor', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let marie: Person
  beforeAll(async () => {
    marie = await app.person('marie')
  })

  const music = (page: Page) => page.getByRole('application')
  /** The notes of the score as it was saved last, without the rests: `C5 quarter`. */
  async function savedNotes(score: string): Promise<string[]> {
    const { bytes } = await marie.get(`/scores/${score}/revisions/last/xml`)
    return [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/<note[\s\S]*?<\/note>/g),
    ].flatMap(([note]) => {
      const [, step] = /<step>(.)<\/step>/.exec(note) ?? []
      const [, octave] = /<octave>(.)<\/octave>/.exec(note) ?? []
      const [, type] = /<type>(\w+)<\/type>/.exec(note) ?? []
      return step ? [`${step}${octave} ${type}${note.includes('<dot/>') ? '.' : ''}`] : []
    })
  }

  it('writes eight measures with the keyboard alone, through a reload, and saves them as a revision', async () => {
    const builder = {
      scoreData: {
        fifths: 0,
        nbBeats: 4,
        beatType: 4,
        instruments: [{ group: 'woodwinds', instrument: 'flute' }],
      },
    }
    const created = await marie.post('/scores', {
      title: 'Morning',
      privacy: 'private',
      builderData: builder,
    })
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    const score = created.body.id
    const { page } = await browser.open(marie, { baseURL: app.url })
    await page.goto(`/scores/${score}`)
    await page.getByRole('link', { name: 'Edit' }).press('Enter')
    await music(page).and(page.locator('[aria-busy=false]')).waitFor()
    await page.locator('[role=application]:focus').waitFor()
    const said = page.locator('[aria-live=polite]').first()
    expect(await said.textContent()).toBe('Measure 1, beat 1, rest for the whole measure, voice 1')

    // Four measures: quarters, halves, eighths with a dotted quarter, a whole note.
    await page.keyboard.type('cdef')
    await page.keyboard.type('6ga')
    await page.keyboard.type('5.c4d5ef7g')
    await expect.poll(() => said.textContent()).toBe('Measure 4, beat 1, G6 whole, voice 1')
    await expect.poll(() => page.locator('.editor-line .v-note').count()).toBe(11)
    await page.getByText('Kept on this device').waitFor()
    // The last note of a user who closes the window at once.
    await page.reload()
    await music(page).and(page.locator('[aria-busy=false]')).waitFor()
    await page.getByText('Changes from this device are back.').waitFor()
    await expect.poll(() => page.locator('.editor-line .v-note').count()).toBe(11)
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await savedNotes(score)).toEqual([
      ...['C5 quarter', 'D5 quarter', 'E5 quarter', 'F5 quarter', 'G5 half', 'A5 half'],
      ...['C6 quarter.', 'D6 eighth', 'E6 quarter', 'F6 quarter', 'G6 whole'],
    ])
    // Four more measures: a chord, rests, and notes that are taken back.
    await page.keyboard.type('5c')
    await page.keyboard.press('Shift+E')
    await page.keyboard.press('Shift+G')
    await page.keyboard.type('0ed')
    await page.keyboard.press('Control+z')
    await page.keyboard.type('6c7de')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('fe')
    // Signs at the last note, and the head of the score, without the mouse.
    await page.keyboard.press('Control+d')
    await page.getByRole('dialog', { name: 'Dynamic' }).getByLabel('Dynamic').selectOption('mf')
    await page.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.locator('[role=application]:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a command').fill('title')
    await page.getByRole('button', { name: 'Title and names' }).press('Enter')
    await page.getByLabel('Composer').fill('Marie')
    await page.getByLabel('Composer').press('Enter')
    await page.locator('[role=application]:focus').waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+l')
    await page.keyboard.type('Mor-ning has')
    await page.keyboard.press('Enter')
    await page.locator('[role=application]:focus').waitFor()
    // Behind the end of the score.
    await page.keyboard.press('End')
    await page.keyboard.type('7g5')
    await page.keyboard.press('Control+3')
    await page.keyboard.type('agf')
    // The triplet instead of the whole note before it.
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => said.textContent()).toMatch(/A5 eighth, voice 1, notes chosen: 3$/)
    await page.keyboard.press('Control+c')
    await page.keyboard.press('End')
    await page.keyboard.press('Control+ArrowLeft')
    await page.keyboard.press('Control+v')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    const { bytes } = await marie.get(`/scores/${score}/revisions/last/xml`)
    const xml = Buffer.from(bytes).toString()
    const syllables = [...xml.matchAll(/<syllabic>(\w+)<\/syllabic>\s*<text>(\w+)/g)]
    expect(syllables.map(([, ...syllable]) => syllable.join(' '))).toEqual([
      ...['begin Mor', 'end ning', 'single has'],
    ])
    expect(xml).toContain('<mf/>')
    expect(xml).toContain('<creator type="composer">Marie</creator>')
    const triplet = ['A5 eighth', 'G5 eighth', 'F5 eighth']
    expect((await savedNotes(score)).slice(-6)).toEqual([...triplet, ...triplet])
    expect((await savedNotes(score)).slice(11, -6)).toEqual([
      ...['C5 quarter', 'E5 quarter', 'G5 quarter', 'E5 quarter', 'C5 quarter', 'C5 quarter'],
      ...['D5 half.', 'D5 quarter', 'F5 half.', 'F5 quarter', 'E5 half.', 'E5 quarter'],
    ])
    await page.goto(`/scores/${score}/history`)
    await expect.poll(() => page.getByRole('listitem').count()).toBeGreaterThan(2)
  }, 60_000)

  it('keeps what was typed as a score of its own if somebody else has saved meanwhile, and is open in one window', async () => {
    const { id: score } = (await marie.post('/scores', { title: 'Evening', data: musicXml() })).body
    const { context, page } = await browser.open(marie, { baseURL: app.url })
    await page.goto(`/scores/${score}/edit`)
    await music(page).and(page.locator('[aria-busy=false]')).waitFor()
    await page.keyboard.type('b')
    await marie.post(`/scores/${score}/revisions`, { data: musicXml({ measures: ['C4 C4 C4 C4'] }) })
    await page.keyboard.press('Control+s')
    await page.getByText('Your version is now a score of its own.').waitFor()
    const { body: scores } = await marie.get('/collections/allScores/scores')
    const copy = scores.find(({ title }: { title: string }) => title === 'Evening (my version)')
    expect((await savedNotes(copy.id))[0]).toBe('B4 quarter')
    expect((await savedNotes(score))[0]).toBe('C4 quarter')

    const other = await context.newPage()
    await other.goto(`/scores/${score}/edit`)
    await other.getByText('This score is being edited in another window of this browser.').waitFor()
    await other.getByRole('button', { name: 'Edit here instead' }).click()
    await music(other).and(other.locator('[aria-busy=false]')).waitFor()
    await page.getByText('This score is being edited in another window of this browser.').waitFor()
  }, 60_000)
})
