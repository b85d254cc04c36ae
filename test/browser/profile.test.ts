import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { pngOf } from '../support/pictures.ts'

describeInBrowser('the profile', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let nadia: Person
  let page: Page

  beforeAll(async () => {
    nadia = await app.person('nadia')
  })
  beforeEach(async () => {
    page = (await browser.open(nadia, { baseURL: app.url })).page
    await page.goto('/account')
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  })

  it('keeps the biography and the privacy that the user saves', async () => {
    await page.getByLabel('Biography').fill('I play the oboe.')
    await page.getByText('Private profile').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your profile was saved.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Biography').inputValue()).toBe('I play the oboe.')
    expect(await page.getByRole('checkbox', { name: 'Private profile' }).isChecked()).toBe(true)
    expect((await nadia.get('/me')).body).toMatchObject({ bio: 'I play the oboe.', privateProfile: true })
  })

  it('shows a picture that the user chooses, and removes it', async () => {
    const part = page.getByRole('group', { name: 'Profile picture' })
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await pngOf(300, 200) }
    await part.locator('input[type=file]').setInputFiles(file)
    await page.getByText('The picture was saved.').waitFor()
    const shown = part.getByRole('img', { name: 'Profile picture' })
    await shown.waitFor()
    expect(await shown.getAttribute('src')).toBe((await nadia.get('/me')).body.picture)
    // The width of the loaded picture; 0 if the page may not load it.
    const width = () => page.evaluate("document.querySelector('.chosen-picture').naturalWidth")
    await expect.poll(width).toBe(400)
    await part.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The picture was removed.').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Profile picture')
    expect([await shown.count(), (await nadia.get('/me')).body.picture]).toEqual([0, null])
  })

  it('refuses a file that is no picture', async () => {
    const part = page.getByRole('group', { name: 'Cover picture' })
    const problem = part.getByText('The picture must be PNG, JPEG or WebP')
    const damaged = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await part.locator('input[type=file]').setInputFiles(damaged)
    await problem.waitFor()
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await pngOf(30, 30) }
    await part.locator('input[type=file]').setInputFiles(file)
    await page.getByText('The picture was saved.').waitFor()
    expect(await problem.count()).toBe(0)
    await part
      .locator('input[type=file]')
      .setInputFiles({ ...damaged, name: 'me.gif', mimeType: 'image/gif' })
    await problem.waitFor()
    expect((await nadia.get('/me')).body.coverPicture).toBeDefined()
  })
})
