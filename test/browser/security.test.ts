import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { password, signedIn } from '../support/oauth.ts'

describeInBrowser('how one signs in', (browser) => {
  const app = useApp(usingDatabases('sqlite'), { smtpUrl: 'smtp://127.0.0.1:1' })
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

  it('is made safer by a second factor, which is taken off again', async () => {
    await open()
    const factor = part('Second factor')
    await factor.getByLabel('Password').fill('not mine')
    await factor.getByRole('button', { name: 'Set it up' }).click()
    await factor.getByText('This is not your password.').waitFor()
    await factor.getByLabel('Password').fill(password)
    await factor.getByRole('button', { name: 'Set it up' }).click()
    await factor.getByRole('img', { name: 'QR code of the key' }).waitFor()
    const key = await factor.locator('code').innerText()
    await factor.getByLabel('Code', { exact: true }).fill('000 000')
    await factor.getByRole('button', { name: 'Turn it on' }).click()
    await factor.getByText('This code is wrong').waitFor()
    await factor.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(key) }).generate())
    await factor.getByRole('button', { name: 'Turn it on' }).click()
    await factor.getByText('Each of them stands in for the app once.').waitFor()
    const codes = (await factor.locator('code').innerText()).split('\n')
    expect(new Set(codes).size).toBe(10)
    await factor.getByRole('button', { name: 'I have kept them' }).click()
    await factor.getByText('It is on. You have 10 recovery codes left.').waitFor()
    expect(await page.content()).not.toContain(codes[0])

    await factor.getByText('Make new recovery codes').first().click()
    await factor.getByLabel('Code', { exact: true }).first().fill('not a code')
    await factor.getByRole('button', { name: 'Make new recovery codes' }).click()
    await factor.getByText('This code is wrong').waitFor()
    await factor
      .getByLabel('Code', { exact: true })
      .first()
      .fill(codes[0] ?? '')
    await factor.getByRole('button', { name: 'Make new recovery codes' }).click()
    await factor.getByRole('button', { name: 'I have kept them' }).waitFor()
    const [fresh = ''] = (await factor.locator('code').innerText()).split('\n')
    expect(codes).not.toContain(fresh)
    await factor.getByRole('button', { name: 'I have kept them' }).click()

    await factor.getByText('Take it off').first().click()
    await factor.getByLabel('Code', { exact: true }).last().fill(fresh)
    await factor.getByRole('button', { name: 'Take it off' }).click()
    await factor.getByRole('status').getByText('Signing in takes the password alone').waitFor()
    await factor.getByRole('button', { name: 'Set it up' }).waitFor()
  })

  it('is seen by where one is signed in, which is ended everywhere else', async () => {
    const elsewhere = await signedIn(app, vera)
    await open()
    const sessions = part('Where you are signed in')
    await sessions.getByRole('row', { name: 'in another browser' }).first().waitFor()
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await sessions.getByRole('status').getByText('You are signed in here alone.').waitFor()
    expect(await sessions.getByRole('row').count()).toBe(2)
    expect((await elsewhere.open('/account/data/me')).status).toBe(401)
  })

  it('may be by another address, once a link that was sent there is used', async () => {
    await open()
    const email = part('Your e-mail address')
    await email.getByText('vera@example.com is not shown to be yours yet.').waitFor()
    await email.getByLabel('E-mail address').fill('vera@school.example')
    await email.getByLabel('Password').fill(password)
    await email.getByRole('button', { name: 'Send the link' }).click()
    await email.getByRole('status').getByText('A link was sent to vera@school.example.').waitFor()
  })

  it('is by another password, which is not the wrong one or too short; one stays signed in here', async () => {
    await open()
    const form = part('Password')
    await form.getByLabel('Current password').fill('not mine')
    await form.getByLabel('New password').fill('a better horse')
    await form.getByRole('button', { name: 'Change the password' }).click()
    await form.getByText('This is not your password.').waitFor()
    await form.getByLabel('Current password').fill(password)
    await form.getByRole('button', { name: 'Change the password' }).click()
    await form.getByRole('status').getByText('The password is changed.').waitFor()
    await page.reload()
    await part('Password').waitFor()
    await expect(signedIn(app, vera)).rejects.toThrow('not signed in')
  })
})
