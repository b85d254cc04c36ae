import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { clientOf, internalClient } from '../support/client.ts'
import { usingDatabases } from '../support/databases.ts'
import { authorizationPath, newClient, tokensFor } from '../support/oauth.ts'
import { password, signedIn } from '../support/sessions.ts'
import { logo } from '../support/pages.ts'
import { emptyPiano } from '../support/scores.ts'

/** Presses the tab key until the element with this text or label has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    // After the last element, the document has no focused element until the next press.
    const focused = await page.evaluate<string>(
      "document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? ''",
    )
    if (focused.trim() === name) return
  }
  throw new Error(`the tab key does not reach ${name}`)
}

describeInBrowser('the account', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let otto: Person
  let olga: Person

  beforeAll(async () => {
    otto = await app.person('otto')
    olga = await app.person('olga')
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  const confirm = (page: Page, name: string) =>
    page.getByRole('alertdialog').getByRole('button', { name }).click()

  it('opens after the user signs in and closes when the user signs out', async () => {
    const { page } = await browser.open(undefined, { baseURL: app.url })
    await page.goto('/account/developer/apps')
    await page.getByLabel('Username or e-mail address').fill('otto')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'My apps').waitFor()
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await heading(page, 'Your account').waitFor()
    expect([new URL(page.url()).pathname, await page.title()]).toEqual(['/account', 'Your account – Partita'])
    await page.goBack()
    await heading(page, 'My apps').waitFor()
    await page.getByText('Signed in as otto').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in to Partita').waitFor()
  })

  it('uses the language of the browser', async () => {
    const { page } = await browser.open(otto, { baseURL: app.url, locale: 'de-AT' })
    await page.goto('/account')
    await heading(page, 'Ihr Konto').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })

  it('shows the storage that the account uses', async () => {
    const sven = await app.person('sven')
    await sven.post('/scores', emptyPiano())
    const { page } = await browser.open(sven, { baseURL: app.url, locale: 'de' })
    await page.goto('/account')
    await page.getByText(/^Sie nutzen [01](,\d)? KiB von 2 GiB\./).waitFor()
  })

  it('creates a token, shows it once with a copy button, and revokes it', async () => {
    const { page, context } = await browser.open(otto, { baseURL: app.url })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/account')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Create token' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Enter a name and choose at least one permission.').waitFor()
    await page.getByLabel('Name').fill('My <script>')
    await page.getByText('See, create, change and delete your collections').click()
    await page.getByRole('button', { name: 'Create' }).click()
    await heading(page, 'My <script>').waitFor()
    await page.getByRole('button', { name: 'Copy My <script>' }).click()
    await page.getByText('Copied.').waitFor()
    const token = await page.evaluate<string>('navigator.clipboard.readText()')
    const holder = clientOf(app.url, token)
    expect((await holder.post('/collections', { title: 'By a token' })).status).toBe(200)

    await page.getByRole('link', { name: 'Developers' }).first().click()
    const row = page.getByRole('row', { name: /My <script>/ })
    await row.getByText('Permissions (1)').click()
    await row.getByText('See, create, change and delete your collections').waitFor()
    expect(await page.content()).not.toContain(token)
    await page.getByRole('button', { name: 'Revoke My <script>' }).click()
    await confirm(page, 'Cancel')
    expect((await holder.get('/collections')).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke My <script>' }).click()
    await confirm(page, 'Revoke')
    await page.getByRole('status').getByText('My <script> was removed.').waitFor()
    expect(await row.count()).toBe(0)
    expect((await holder.get('/collections')).status).toBe(401)
  })

  it('can be used with the keyboard alone and announces results', async () => {
    const { page } = await browser.open(olga, { baseURL: app.url })
    await page.goto('/account/developer')
    await heading(page, 'Developers').waitFor()
    await tabTo(page, 'Create token')
    await page.keyboard.press('Enter')
    await heading(page, 'Create token').waitFor()
    // The title of the page has the focus. The form comes next.
    await page.keyboard.press('Tab')
    await page.keyboard.type('Keys')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await tabTo(page, 'Create')
    await page.keyboard.press('Enter')
    await heading(page, 'Keys').waitFor()
    await tabTo(page, 'Copy Keys')
    await tabTo(page, 'Developers')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Revoke Keys')
    await page.keyboard.press('Enter')
    // The dialog takes the focus. If the user cancels, the button gets it back.
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Keys' })
    await dialog.and(page.locator(':focus, :has(:focus)')).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('[aria-label="Revoke Keys"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Revoke')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Keys was removed.').waitFor()
    expect(
      (await internalClient(await signedIn(app, olga)).get('/tokens')).body.map(
        ({ name }: { name: string }) => name,
      ),
    ).toEqual(['Test'])
  })

  it('registers an app with a logo, shows its secret once, and deletes it', async () => {
    const { page } = await browser.open(otto, { baseURL: app.url })
    await page.goto('/account/developer/apps')
    await page.getByRole('link', { name: 'Register app' }).click()
    await page.getByLabel('Name').fill('Metronome')
    const addresses = page.getByLabel('Redirect addresses')
    await addresses.fill('javascript:alert(1)')
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: logo }
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...file, name: 'logo.svg', mimeType: 'image/svg+xml' })
    await page.getByText('The logo must be a PNG').waitFor()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('logo.png').waitFor()
    await page.getByRole('button', { name: 'Register' }).click()
    // The form keeps what the user has typed.
    await page.getByText('Enter 1 to 20 addresses').waitFor()
    await addresses.fill('https://metronome.example/callback\n\n com.example.metronome:/callback')
    await page.getByRole('button', { name: 'Register' }).click()
    await heading(page, 'Metronome is registered').waitFor()
    const [id = '', secret = ''] = await page.locator('code').allInnerTexts()
    expect(secret).toMatch(/^partita_secret_\w{46}$/)

    await page.getByRole('link', { name: 'My apps' }).first().click()
    await page.getByRole('link', { name: 'Metronome' }).click()
    await heading(page, 'Metronome').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/account/developer/apps/${id}`)
    await page.getByText('com.example.metronome:/callback').waitFor()
    await page.getByText('The client secret was shown once').waitFor()
    expect(await page.content()).not.toContain(secret)
    const picture = `document.querySelector('img.logo')`
    expect(await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`)).toBe(128)
    const client = { id, secret, redirectUri: 'https://metronome.example/callback' }
    await page.goto(authorizationPath(client))
    await heading(page, 'Metronome asks for access').waitFor()
    await page.goto('/account/developer/apps')
    await page.getByRole('button', { name: 'Delete Metronome' }).click()
    await confirm(page, 'Delete')
    await page.getByRole('status').getByText('Metronome was removed.').waitFor()
    await page.getByText('You have no registered apps.').waitFor()
  })

  it('revokes the access of a connected app', async () => {
    const client = await newClient(app, { name: 'Ear trainer' })
    const { access_token } = await tokensFor(app, otto, client, { access_type: 'offline' })
    const { page } = await browser.open(otto, { baseURL: app.url })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Revoke Ear trainer' }).click()
    await confirm(page, 'Revoke')
    await page.getByText('No app has access to your account.').waitFor()
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
  })

  it('shows an error if the server is busy', async () => {
    const { page, context } = await browser.open(otto, { baseURL: app.url })
    await page.goto('/account/developer')
    await context.route('**/internal/apps', (route) =>
      route.fulfill({ status: 503, json: { code: 'SERVER_BUSY' } }),
    )
    await page.getByRole('link', { name: 'My apps' }).click()
    await page.getByRole('alert').getByText('The server is busy.').waitFor()
  })
})
