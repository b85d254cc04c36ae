import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { internalClient } from '../support/client.ts'
import { usingDatabases } from '../support/databases.ts'
import { password, signedIn } from '../support/sessions.ts'
import { useMailServer } from '../support/mail-server.ts'

const mailServer = useMailServer()

describeInBrowser('the security page', (browser) => {
  const app = useApp(usingDatabases('sqlite'), mailServer.settings())
  let vera: Person
  let page: Page

  beforeAll(async () => {
    vera = await app.person('vera', { email: 'vera@example.com' })
  })

  const part = (name: string) => page.getByRole('region', { name })
  const open = async () => {
    ;({ page } = await browser.open(vera, { baseURL: app.url }))
    await page.goto('/account/security')
    await part('Password').waitFor()
  }

  it('turns two-step sign-in on and off, and creates new recovery codes', async () => {
    await open()
    const factor = part('Two-step sign-in')
    await factor.getByLabel('Password').fill('not mine')
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByText('This password is wrong.').waitFor()
    await factor.getByLabel('Password').fill(password)
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByRole('img', { name: 'QR code of the key' }).waitFor()
    const key = await factor.locator('code').innerText()
    await factor.getByLabel('Code', { exact: true }).fill('000 000')
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await factor.getByText('This code is wrong').waitFor()
    await factor
      .getByLabel('Code', { exact: true })
      .fill(new TOTP({ secret: Secret.fromBase32(key) }).generate())
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await factor.getByText('Each code replaces the app or a passkey once.').waitFor()
    const codes = (await factor.locator('code').innerText()).split('\n')
    expect(new Set(codes).size).toBe(10)
    await factor.getByRole('button', { name: 'I have saved the codes' }).click()
    await factor.getByText('Recovery codes left: 10.').waitFor()
    expect(await page.content()).not.toContain(codes[0])

    await factor.getByText('Create new recovery codes').first().click()
    await factor.getByLabel('Code', { exact: true }).first().fill('not a code')
    await factor.getByRole('button', { name: 'Create new recovery codes' }).click()
    await factor.getByText('This code is wrong').waitFor()
    await factor
      .getByLabel('Code', { exact: true })
      .first()
      .fill(codes[0] ?? '')
    await factor.getByRole('button', { name: 'Create new recovery codes' }).click()
    await factor.getByRole('button', { name: 'I have saved the codes' }).waitFor()
    const [fresh = ''] = (await factor.locator('code').innerText()).split('\n')
    expect(codes).not.toContain(fresh)
    await factor.getByRole('button', { name: 'I have saved the codes' }).click()

    await factor.getByText('Turn off').first().click()
    await factor.getByLabel('Code', { exact: true }).last().fill(fresh)
    await factor.getByRole('button', { name: 'Turn off' }).click()
    await factor.getByRole('status').getByText('Two-step sign-in with an app is off').waitFor()
    await factor.getByRole('button', { name: 'Set up' }).waitFor()
  })

  it('lists the sessions and ends the other ones', async () => {
    const otherBrowser = await signedIn(app, vera)
    await open()
    const sessions = part('Where you are signed in')
    await sessions.getByRole('row', { name: 'another browser' }).first().waitFor()
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await sessions.getByRole('status').getByText('You are now signed in only in this browser.').waitFor()
    expect(await sessions.getByRole('row').count()).toBe(2)
    expect((await internalClient(otherBrowser).get('/me')).status).toBe(401)
  })

  it('sends a link to a new e-mail address', async () => {
    await open()
    const email = part('Your e-mail address')
    await email.getByText('vera@example.com is not verified yet.').waitFor()
    await email.getByLabel('E-mail address').fill('vera@school.example')
    await email.getByLabel('Password').fill(password)
    await email.getByRole('button', { name: 'Send link' }).click()
    await email.getByRole('status').getByText('We sent a link to vera@school.example.').waitFor()
  })

  it('changes the password after checking the current one, and keeps this session', async () => {
    await open()
    const form = part('Password')
    await form.getByLabel('Current password').fill('not mine')
    await form.getByLabel('New password').fill('a better horse')
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('This password is wrong.').waitFor()
    await form.getByLabel('Current password').fill(password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByRole('status').getByText('Your password was changed.').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Password')
    await page.reload()
    await part('Password').waitFor()
    await expect(signedIn(app, vera)).rejects.toThrow('not signed in')
  })
})
