import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { addProvider, startOpenIdProvider } from '../support/openid-provider.ts'
import { musicXml } from '../support/scores.ts'
import { withSecondFactor } from '../support/second-factors.ts'
import { password } from '../support/sessions.ts'

describeInBrowser('a session that ends while a page is open', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let page: Page
  let ella: Person

  beforeAll(async () => {
    ella = await app.person('ella')
    await ella.post('/scores', { data: musicXml({ title: 'Etude' }) })
  })
  beforeEach(async () => {
    ;({ page } = await browser.open(ella, { baseURL: app.url }))
  })

  const dialog = (from = page) => from.getByRole('dialog', { name: 'You were signed out' })
  const signInWindow = async () => {
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      dialog().getByRole('button', { name: 'Sign in' }).click(),
    ])
    return opened
  }
  const enterPassword = async (at: Page, name: string) => {
    await at.getByLabel('Username or e-mail address').fill(name)
    await at.getByLabel('Password').fill(password)
    await at.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  /** Types a biography, ends the session, and saves. */
  const saveAfterEnd = async (words: string) => {
    await page.goto('/account/profile')
    await page.getByLabel('Biography').fill(words)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog().waitFor()
  }

  it('is replaced in a second window, and what was typed is saved', async () => {
    await saveAfterEnd('I play the oboe.')
    const opened = await signInWindow()
    await Promise.all([opened.waitForEvent('close'), enterPassword(opened, ella.username)])
    await page.getByText('Your profile was saved.').waitFor()
    expect(await dialog().count()).toBe(0)
    expect(await page.getByLabel('Biography').inputValue()).toBe('I play the oboe.')
    expect((await ella.get(`/users/${ella.id}`)).body.bio).toBe('I play the oboe.')
  })

  it('shows an error and keeps the page if the user does not sign in', async () => {
    await saveAfterEnd('Not saved')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    expect(await page.getByLabel('Biography').inputValue()).toBe('Not saved')
  })

  it('does not hand the page to another user', async () => {
    const other = await app.person('otto')
    await saveAfterEnd('The words of Ella')
    await enterPassword(await signInWindow(), other.username)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.getByText(`Signed in as ${other.username}`).waitFor()
    expect((await other.get(`/users/${other.id}`)).body.bio).toBeUndefined()
  })

  it('is replaced with a second factor', async () => {
    const vera = await app.person('vera')
    await page.goto('/')
    await browser.changeUser(page, vera, app.url)
    const factor = await withSecondFactor(app, vera)
    await saveAfterEnd('I play the viola.')
    const opened = await signInWindow()
    await enterPassword(opened, vera.username)
    await opened.getByLabel('Code').fill(factor.code())
    const signIn = opened.getByRole('button', { name: 'Sign in', exact: true })
    await Promise.all([opened.waitForEvent('close'), signIn.click()])
    await page.getByText('Your profile was saved.').waitFor()
  })

  it('is replaced with the account of a school', async () => {
    const provider = await startOpenIdProvider(app, ['school'])
    try {
      const organization = await app.organization('Riverside')
      const tess = await app.person('tess', {
        organization,
        role: 'teacher',
        email: 'tess@riverside.example',
      })
      await addProvider(app, { name: 'school', organization, issuer: provider.issuer })
      provider.people.set('tess', { email: 'tess@riverside.example', email_verified: true })
      provider.sessionUser = 'tess'
      await page.goto('/')
      await browser.changeUser(page, tess, app.url)
      await saveAfterEnd('I teach the violin.')
      const opened = await signInWindow()
      const signIn = opened.getByRole('link', { name: 'Sign in with School account' })
      await Promise.all([opened.waitForEvent('close'), signIn.click()])
      await page.getByText('Your profile was saved.').waitFor()
    } finally {
      await provider.close()
    }
  })
})
