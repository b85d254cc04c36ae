import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'
import { password } from '../support/sessions.ts'

const fileOf = (name: string, content: string) => ({
  name,
  mimeType: 'application/vnd.recordare.musicxml+xml',
  buffer: Buffer.from(content),
})
const evening = fileOf('evening.musicxml', musicXml({ title: 'Evening song', composer: 'Clara' }))
const morning = fileOf('morning.musicxml', musicXml({ title: 'Morning walk', parts: ['Oboe'] }))
const noScore = fileOf('letter.musicxml', 'Dear teacher')

describeInBrowser('the library', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let page: Page
  let ella: Person
  let number = 0

  beforeAll(async () => {
    ella = await app.person('ella')
  })
  beforeEach(async () => {
    if (number++ > 0) ella = await app.person(`ella${number}`)
    ;({ page } = await browser.open(ella, { baseURL: app.url, reducedMotion: 'reduce' }))
  })

  const score = (title: string) => page.getByRole('main').getByRole('link', { name: title })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const message = (text: string) => page.getByRole('status').getByText(text)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const input = () => page.locator('input[type=file]')
  const titles = async () =>
    (await ella.get('/collections/allScores/scores?sort=title')).body.map(
      ({ title }: { title: string }) => title,
    )

  it('takes several files at once, finds one by a word, and moves, deletes and restores it', async () => {
    await page.context().clearCookies()
    await page.goto('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username or e-mail address').fill(ella.username)
    await page.getByLabel('Password').fill(password)
    await button('Sign in').click()
    await heading('Home').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByText('Drop a file here').waitFor()

    await input().setInputFiles([evening, noScore, morning])
    await message('Uploaded: 2 of 3, failed: 1').waitFor()
    await page.getByText('This file is not a score that Partita can read.').waitFor()
    await button('Close the list of uploads').click()
    await score('Evening song').locator('img').waitFor()
    expect(await titles()).toEqual(['Evening song', 'Morning walk'])

    await page.getByRole('link', { name: 'Scores', exact: true }).click()
    await heading('My scores').waitFor()
    await page.getByLabel('Search').fill('oboe')
    await score('Evening song').waitFor({ state: 'detached' })
    await score('Morning walk').waitFor()
    expect(new URL(page.url()).search).toBe('?q=oboe')

    await button('Actions for Morning walk').click()
    await button('Add to a collection').click()
    await button('New collection').last().click()
    await page.getByRole('dialog').getByLabel('Title').fill('Concert')
    await button('Create').click()
    await message('“Morning walk” is in “Concert”.').waitFor()
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Concert' }).click()
    await heading('Concert').waitFor()
    await score('Morning walk').waitFor()

    await page.getByLabel('Select Morning walk').check()
    await message('Selected: 1').waitFor()
    await button('Delete').click()
    await page.getByText('This collection is empty').waitFor()
    // Until then, the last button to undo is that of the message before.
    await message('“Morning walk” is in the trash.').waitFor()
    await button('Undo').last().click()
    await score('Morning walk').waitFor()

    await score('Morning walk').focus()
    await page.keyboard.press('Delete')
    await message('“Morning walk” is in the trash.').waitFor()
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Trash' }).click()
    await heading('Trash').waitFor()
    await button('Actions for Morning walk').click()
    await button('Restore').click()
    await message('“Morning walk” was restored.').waitFor()
    await page.getByText('The trash is empty').waitFor()
    expect(await titles()).toEqual(['Evening song', 'Morning walk'])
  })

  it('is used with the keyboard alone', async () => {
    for (const title of ['One', 'Two', 'Three']) await ella.post('/scores', { data: musicXml({ title }) })
    await page.goto('/')
    await score('Three').waitFor()
    await page.keyboard.press('s')
    await heading('My scores').waitFor()
    await score('Three').waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Search your scores').waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await page.keyboard.type('three')
    await score('One').waitFor({ state: 'detached' })
    await page.getByLabel('Search').press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await score('One').waitFor()
    // The help sheet and a field do not get the keys of the page.
    expect(await page.getByLabel('Search').inputValue()).toBe('')
    await page.getByLabel('Search').blur()

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await message('Selected: 1').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+Space')
    await message('Selected: 2').waitFor()
    await page.keyboard.press('Delete')
    await message('Scores moved to the trash: 2.').waitFor()
    expect(await titles()).toHaveLength(1)
    await page.keyboard.press('ControlOrMeta+z')
    await score('Three').waitFor()
    expect(await titles()).toHaveLength(3)

    await page.getByRole('button', { name: 'Actions for One' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'One' }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).press('Enter')
    await page.getByLabel('Title').fill('First')
    await page.keyboard.press('Enter')
    await score('First').waitFor()
  })

  it('shares a score by a link that opens it without an account, until the sharing ends', async () => {
    await ella.post('/scores', { data: musicXml({ title: 'For all' }) })
    await page.goto('/scores')
    await button('Actions for For all').click()
    await button('Share by link').click()
    await button('Create link').click()
    const address = await page.getByRole('dialog').locator('code').innerText()
    const visitor = await browser.open(undefined, { baseURL: app.url })
    await visitor.page.goto(address)
    await visitor.page.getByRole('heading', { level: 1, name: 'For all' }).waitFor()
    await button('Stop sharing by link').click()
    await page.getByText('Only you and the people').waitFor()
    await visitor.page.goto(address)
    await visitor.page.getByRole('heading', { level: 1, name: 'Score not found' }).waitFor()
    expect(await visitor.page.content()).not.toContain('For all')
  })

  it('shows the public scores of a user to visitors, and nobody of a school to strangers', async () => {
    const { id: open } = (
      await ella.post('/scores', { data: musicXml({ title: 'Open' }), privacy: 'public' })
    ).body
    await ella.post('/scores', { data: musicXml({ title: 'Hidden' }) })
    const pupil = await app.person('pia', { organization: await app.organization('School') })
    const { page: visited } = await browser.open(undefined, { baseURL: app.url })
    await visited.goto(`/users/${ella.id}`)
    await visited.getByRole('heading', { level: 1, name: ella.username }).waitFor()
    const list = visited.getByRole('list', { name: 'Public scores' })
    await list.getByRole('link', { name: 'Open' }).waitFor()
    expect(await list.getByRole('link').count()).toBe(1)
    await list.getByRole('link', { name: 'Open' }).click()
    await visited.waitForURL(`**/scores/${open}`)

    await visited.goto(`/users/${pupil.id}`)
    await visited.getByRole('heading', { level: 1, name: 'Person not found' }).waitFor()
    expect(await visited.content()).not.toContain('pia')
  })

  it('filters while the user types, sorts by columns, and takes scores that are dragged to a collection', async () => {
    await ella.post('/scores', { data: musicXml({ title: 'By Clara', composer: 'Clara Schumann' }) })
    await ella.post('/scores', {
      data: musicXml({ title: 'Of Clara', composer: 'Fanny Hensel', parts: ['Oboe'] }),
    })
    await ella.post('/collections', { title: 'Concert' })
    await page.goto('/scores')
    await button('Filters').click()
    await page.getByLabel('Composer').fill('schu')
    await score('Of Clara').waitFor({ state: 'detached' })
    await score('By Clara').waitFor()
    expect(new URL(page.url()).search).toBe('?composer=schu')
    await button('Filters: 1').waitFor()
    await page.getByLabel('Who can open it').selectOption('Everyone')
    await page.getByText('No score matches these filters.').waitFor()
    await page.getByLabel('Who can open it').selectOption('All')
    await page.getByLabel('Composer').fill('')
    await score('Of Clara').waitFor()

    await button('List').click()
    const column = page.getByRole('columnheader', { name: 'Title' })
    const first = () => page.getByRole('table', { name: 'My scores' }).getByRole('link').first().textContent()
    await column.getByRole('button').click()
    await expect.poll(first).toContain('By Clara')
    expect(await column.getAttribute('aria-sort')).toBe('ascending')
    await column.getByRole('button').click()
    await expect.poll(first).toContain('Of Clara')
    expect(await column.getAttribute('aria-sort')).toBe('descending')
    await page.getByLabel('Order').selectOption('Composer, A to Z')
    await expect.poll(first).toContain('By Clara')
    await page.getByLabel('Order').selectOption('Longest')
    await expect.poll(first).toContain('min')

    const concert = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Concert' })
    await score('By Clara').dragTo(concert)
    await message('“By Clara” is in “Concert”.').waitFor()
    await concert.click()
    await heading('Concert').waitFor()
    await score('By Clara').waitFor()
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Scores' }).click()
    await heading('My scores').waitFor()
  })

  it('reads a long list while the user scrolls', async () => {
    const id = (await ella.post('/scores', { data: musicXml({ title: 'Study' }) })).body.id
    const copies = Array.from({ length: 60 }, () => ella.post(`/scores/${id}/fork`, { collection: null }))
    await Promise.all(copies)
    await page.setViewportSize(screens.phone)
    await page.goto('/scores?sort=title')
    await score('Study').first().waitFor()
    // The original comes after all of its copies.
    const original = page.getByText('Study', { exact: true })
    // The list waits for the thumbnails that the server is drawing, which takes long on a busy machine.
    const scrolled = async () => {
      await page.mouse.wheel(0, 6000)
      return original.count()
    }
    await expect.poll(scrolled, { timeout: 100_000, interval: 100 }).toBe(1)
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(61)
  })
})
