import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { password } from '../support/sessions.ts'
import { addAuthenticator } from '../support/virtual-authenticator.ts'

describeInBrowser('passkeys', (browser) => {
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' })

  const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })
  const openSecurity = async (page: Page) => {
    await page.goto('/account/security')
    await section(page).waitFor()
  }
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL('**/auth/signin')
  }
  async function add(page: Page, name: string): Promise<void> {
    await section(page).getByText('Add a passkey').click()
    await section(page).getByLabel('Password').fill(password)
    await section(page).getByRole('button', { name: 'Continue' }).click()
    await section(page).getByLabel('Name of the passkey').fill(name)
    await section(page).getByRole('button', { name: 'Create passkey' }).click()
    await section(page).getByRole('status').getByText(`${name} was added.`).waitFor()
  }

  it('are added, and sign in alone and after the password', async () => {
    const vera = await app.person('vera')
    const { page } = await browser.open(vera, { baseURL: app.url })
    await addAuthenticator(page)
    await openSecurity(page)
    await add(page, 'My phone')
    await section(page).getByRole('button', { name: 'I have saved the codes' }).click()
    await section(page).getByText('Recovery codes left: 10.').waitFor()
    const row = section(page).getByRole('row', { name: 'My phone' })
    expect(await row.innerText()).toContain('On one device only')

    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${app.url}/`)
    await page.getByText('vera').first().waitFor()

    await signOut(page)
    await page.getByLabel('Username or e-mail address').fill('vera')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/auth/second-step*')
    await page.getByText('Or enter a code:').waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${app.url}/`)
  })

  it('are renamed, and removed with a passkey as the proof', async () => {
    const rosa = await app.person('rosa')
    const { page } = await browser.open(rosa, { baseURL: app.url })
    await addAuthenticator(page)
    await openSecurity(page)
    await add(page, 'Laptop')
    await section(page).getByRole('button', { name: 'I have saved the codes' }).click()
    await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
    await section(page).getByLabel('Name of the passkey').fill('Old laptop')
    await section(page).getByRole('button', { name: 'Save' }).click()
    await section(page).getByRole('status').getByText('The passkey is now called Old laptop.').waitFor()

    await section(page).getByRole('button', { name: 'Remove Old laptop' }).click()
    await section(page).getByLabel('Recovery code').first().fill('not a code')
    await section(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await section(page).getByText('This code is wrong').waitFor()
    await section(page).getByRole('button', { name: 'Confirm with a passkey' }).first().click()
    await section(page).getByRole('status').getByText('Old laptop was removed.').waitFor()
    expect(await section(page).getByRole('row').count()).toBe(0)
  })

  it('that this device has already are not added twice, and a cancelled one is reported', async () => {
    const nele = await app.person('nele')
    const { page } = await browser.open(nele, { baseURL: app.url })
    const authenticator = await addAuthenticator(page)
    await openSecurity(page)
    await add(page, 'Tablet')
    await section(page).getByRole('button', { name: 'I have saved the codes' }).click()
    await section(page).getByText('Add a passkey').click()
    await section(page).getByRole('button', { name: 'Confirm with a passkey' }).first().click()
    await section(page).getByLabel('Name of the passkey').fill('Again')
    await section(page).getByRole('button', { name: 'Create passkey' }).click()
    await section(page).getByText('This device already has a passkey for your account.').waitFor()

    await signOut(page)
    await authenticator.remove()
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used.').waitFor()
  })

  it('are not offered without scripts, and the other ways work', async () => {
    const mara = await app.person('mara')
    const { page } = await browser.open(undefined, { baseURL: app.url, javaScriptEnabled: false })
    await page.goto('/auth/signin')
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Sign in'])
    await page.getByLabel('Username or e-mail address').fill(mara.username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${app.url}/`)
  })
})
