import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'

describeInBrowser('the installed app', (browser) => {
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' })
  let context: BrowserContext
  let page: Page
  let ella: Person
  let read: string
  let unread: string

  beforeAll(async () => {
    ella = await app.person('ella')
    read = (await ella.post('/scores', { data: musicXml({ title: 'Read' }) })).body.id
    unread = (await ella.post('/scores', { data: musicXml({ title: 'Unread' }) })).body.id
  })
  beforeEach(async () => {
    ;({ page, context } = await browser.open(ella, { baseURL: app.url, serviceWorkers: 'allow' }))
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  /** The addresses that the service worker keeps, by the names of their caches without ids. */
  const kept = () =>
    page.evaluate<Record<string, string[]>>(`(async () => {
      const names = await caches.keys()
      const found = names.map(async (name) => [
        name.replace(/-.*/, ''),
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
      ])
      return Object.fromEntries(await Promise.all(found))
    })()`)
  const keptOfUser = async () => (await kept()).user ?? []
  const openRead = async (id = read) => {
    await page.goto(`/scores/${id}`)
    await heading('Read').waitFor()
    await page.locator('.sheet svg').first().waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const files = ['/svg', '/midi', '/noteTimes', '/synchronizationPoints']
    for (const file of files) await expect.poll(keptOfUser).toContainEqual(expect.stringContaining(file))
    await expect.poll(keptOfUser).toContainEqual(expect.stringMatching(/^\/shell-/))
  }

  it('opens scores that were read, and the lists, without a network', async () => {
    await page.goto('/scores')
    await page.getByRole('main').getByRole('link', { name: 'Unread' }).waitFor()
    await expect.poll(keptOfUser).toContain('/v2/collections/allScores/scores')
    await openRead()
    await context.setOffline(true)
    await page.reload()
    await heading('Read').waitFor()
    await page.locator('.sheet svg').first().waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('link', { name: 'Scores', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Unread' }).click()
    await page.getByText('The server cannot be reached.').first().waitFor()

    await context.setOffline(false)
    await page.goto(`/scores/${unread}`)
    await heading('Unread').waitFor()
  })

  it('keeps nothing of the user after signing out', async () => {
    const sara = await app.person('sara')
    const { id } = (await sara.post('/scores', { data: musicXml({ title: 'Read' }) })).body
    await page.goto('/')
    await browser.changeUser(page, sara, app.url)
    await openRead(id)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in to Partita').waitFor()
    await expect.poll(async () => Object.keys(await kept())).toEqual(['assets'])
    await context.setOffline(true)
    await expect(page.goto(`/scores/${id}`)).rejects.toThrow('net::ERR_')
  })

  it('forgets a score that is no longer shared', async () => {
    const other = await app.person('otto')
    const shared = (await other.post('/scores', { data: musicXml({ title: 'Lent' }) })).body.id
    const collaborator = (
      await other.post(`/scores/${shared}/collaborators`, { user: ella.id, aclRead: true })
    ).body.id
    await page.goto('/scores')
    await page.goto(`/scores/${shared}`)
    await heading('Lent').waitFor()
    await expect.poll(keptOfUser).toContain(`/v2/scores/${shared}`)
    await other.delete(`/scores/${shared}/collaborators/${collaborator}`)
    await page.reload()
    await heading('Score not found').waitFor()
    await expect.poll(keptOfUser).not.toContainEqual(expect.stringContaining(shared))
  })

  it('says that a new version is ready, and loads it when the user wants', async () => {
    await page.goto('/scores')
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    // As if the page came from an earlier version.
    await page.evaluate(`document.querySelector('meta[name=partita-build]').content = 'earlier'`)
    await page.evaluate(`navigator.serviceWorker.register('/service-worker.js?new')`)
    await page.getByText('A new version of Partita is ready.').waitFor()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('A new version of Partita is ready.').waitFor({ state: 'detached' })
    const isCurrent = `navigator.serviceWorker.getRegistration().then(
      ({ active, installing, waiting }) => active !== null && installing === null && waiting === null)`
    await expect.poll(() => page.evaluate(isCurrent).catch(() => false)).toBe(true)
  })
})
