import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { updateUser } from '../../src/features/people/users/store.ts'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/vnd.recordare.musicxml+xml',
  buffer: Buffer.from(content),
})
const evening = fileOf('evening.musicxml', musicXml({ title: 'Evening song', composer: 'Clara' }))

describeInBrowser('uploads', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let page: Page
  let ella: Person
  let number = 0

  beforeEach(async () => {
    ella = await app.person(`ella${++number}`)
    ;({ page } = await browser.open(ella, { baseURL: app.url, reducedMotion: 'reduce' }))
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const message = (text: string) => page.getByRole('status').getByText(text)
  const score = (title: string) => page.getByRole('main').getByRole('link', { name: title })
  const upload = (...files: ReturnType<typeof fileOf>[]) =>
    page.locator('input[type=file]').setInputFiles(files)
  const titles = async () =>
    (await ella.get('/collections/allScores/scores?sort=title')).body.map(
      ({ title }: { title: string }) => title,
    )

  it('wait without a network, go on by themselves, and create one score if an answer was lost', async () => {
    await page.goto('/scores')
    await page.getByText('Drop a file here').waitFor()
    const keys = new Set<string | undefined>()
    page.on('request', (request) => {
      if (request.url().endsWith('/v2/scores')) keys.add(request.headers()['idempotency-key'])
    })
    // The server gets the file, and its answer is lost.
    let isLost = false
    await page.route('**/v2/scores', async (route) => {
      await route.fetch()
      isLost = true
      await page.context().setOffline(true)
      await route.abort()
    })
    await upload(evening)
    await page.getByText('There is no connection to the server.').waitFor()
    expect(isLost).toBe(true)
    await page.unroute('**/v2/scores')
    await page.getByText('You are offline.').waitFor()

    await page.context().setOffline(false)
    await message('Uploaded: 1 of 1').waitFor()
    await score('Evening song').first().waitFor()
    expect(await titles()).toEqual(['Evening song'])
    expect([...keys]).toEqual([expect.any(String)])
  })

  it('stay visible on every page of the app, and the browser asks before it closes the page', async () => {
    await page.goto('/scores')
    await page.getByText('Drop a file here').waitFor()
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    await page.route('**/v2/scores', async (route) => {
      await held
      await route.continue()
    })
    await upload(evening)
    await message('Uploading: 0 of 1').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    await message('Uploading: 0 of 1').waitFor()

    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await closing

    go()
    await message('Uploaded: 1 of 1').waitFor()
    await page.getByRole('region', { name: 'Uploaded: 1 of 1' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Evening song' }).waitFor()
  })

  it('say what is wrong with each file, without sending one that is too large', async () => {
    await page.goto('/scores')
    await page.getByText('Drop a file here').waitFor()
    const faulty = musicXml({ title: 'Faulty' }).replace('<note>', 'stray text<note>')
    await upload(
      fileOf('letter.musicxml', 'Dear teacher'),
      fileOf('huge.musicxml', Buffer.alloc(10 * 1024 * 1024 + 1)),
      fileOf('faulty.musicxml', faulty),
    )
    await message('Uploaded: 1 of 3, failed: 2').waitFor()
    await page.getByText('This file is not a score that Partita can read.').waitFor()
    await page.getByText('A score file may have at most 10 MiB.').waitFor()
    await page.getByText('Changed in the file: 1').click()
    await page.getByText('stray text').waitFor()
    await button('Close the list of uploads').click()

    await app.ctx.transaction((tx) => updateUser(tx, ella.id, { max_storage: 1 }))
    await upload(evening)
    await page.getByText('Your storage is full.').waitFor()
  })
})
