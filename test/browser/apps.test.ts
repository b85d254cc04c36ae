import type { Page, Route } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { internalClient } from '../support/client.ts'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { signedIn } from '../support/sessions.ts'

describeInBrowser('registered apps', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let otto: Person
  let id: string
  let page: Page

  beforeAll(async () => {
    otto = await app.person('otto')
  })
  beforeEach(async () => {
    const account = internalClient(await signedIn(app, otto))
    const redirectUris = ['https://metronome.example/callback']
    ;({ id } = (await account.post('/apps', { name: 'Metronome', redirectUris, isPublic: false })).body)
    ;({ page } = await browser.open(otto, { baseURL: app.url }))
    return async () => {
      await account.delete(`/apps/${id}`)
    }
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const deleteApp = async () => {
    await page.getByRole('button', { name: 'Delete Metronome' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  }
  /** Holds the next DELETE request until the test answers it. */
  const delayDeletion = () =>
    new Promise<Route>((resolve) => {
      void page.route('**', (route) =>
        route.request().method() === 'DELETE' ? resolve(route) : route.continue(),
      )
    })

  it('have a page at an address with their id', async () => {
    await page.goto(`/account/developer/apps/${id}`)
    await heading('Metronome').waitFor()
    expect(await page.title()).toBe('Metronome – Partita')
    expect(await page.locator('code').allInnerTexts()).toEqual([id, 'https://metronome.example/callback'])
    await page.getByText('The client secret was shown once').waitFor()
    await page.getByRole('navigation').locator('[aria-current=page]', { hasText: 'Developers' }).waitFor()
  })

  it('lead back to the list after the user deletes one on its page', async () => {
    await page.goto(`/account/developer/apps/${id}`)
    await deleteApp()
    await page.getByRole('status').getByText('Metronome was removed.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/developer/apps')
    await page.getByText('You have no registered apps.').waitFor()
    await page.goBack()
    await heading('App not found').waitFor()
  })

  it('stay on their page if the server does not delete them', async () => {
    await page.goto(`/account/developer/apps/${id}`)
    const deletion = delayDeletion()
    await deleteApp()
    await (await deletion).fulfill({ status: 503, json: { code: 'SERVER_BUSY' } })
    await page.getByRole('alert').getByText('The server is busy.').waitFor()
    await heading('Metronome').waitFor()
  })

  it('disappear from the list before the server has deleted them, and come back if it does not', async () => {
    await page.goto('/account/developer/apps')
    const row = page.getByRole('row', { name: 'Metronome' })
    await row.waitFor()
    const deletion = delayDeletion()
    await deleteApp()
    const route = await deletion
    await row.waitFor({ state: 'detached' })
    // The row had the focus.
    await page.locator('h1:focus').waitFor()
    await route.fulfill({ status: 503, json: { code: 'SERVER_BUSY' } })
    await row.waitFor()
    await page.getByRole('alert').getByText('The server is busy.').waitFor()
  })

  it('are not found at the address of another user’s app', async () => {
    const olga = await app.person('olga')
    const { page } = await browser.open(olga, { baseURL: app.url })
    await page.goto(`/account/developer/apps/${id}`)
    await page.getByRole('heading', { level: 1, name: 'App not found' }).waitFor()
    expect(await page.content()).not.toContain('metronome.example')
  })
})

describeInBrowser('the addresses of the app', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let otto: Person

  beforeAll(async () => {
    otto = await app.person('otto')
  })

  it('show a not-found page if there is no page', async () => {
    const { page } = await browser.open(otto, { baseURL: app.url })
    const response = await page.goto('/account/developer/apps/a/b')
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  it('load the code of an area when the user opens the area', async () => {
    const { page } = await browser.open(otto, { baseURL: app.url })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    const hasLoaded = (area: string) => loaded.some((path) => path.startsWith(`/assets/${area}-`))
    await page.goto('/account')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect([hasLoaded('account'), hasLoaded('security')]).toEqual([true, false])
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    expect(hasLoaded('security')).toBe(true)
  })

  it('are opened anew by the server if the code of an area is gone', async () => {
    const { page, context } = await browser.open(otto, { baseURL: app.url })
    await page.goto('/account')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    // As after an update, when the chunks of the server have other names.
    let failures = 0
    await context.route('**/assets/security-*.js', (route) =>
      failures++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    expect(failures).toBe(2)
  })
})
