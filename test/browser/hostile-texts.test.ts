import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { updateUser } from '../../src/features/people/users/store.ts'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { newComment } from '../support/comments.ts'
import { usingDatabases } from '../support/databases.ts'
import { send } from '../support/http.ts'
import { base64, musicXml } from '../support/scores.ts'

/** Ends a text, an attribute and a script, and then runs a script in each way that HTML and SVG have. */
const attack =
  `x'"></title></style></script><img src=/x.png onerror="attacked=1"><svg onload="attacked=2"><script>attacked=3</script>` +
  `<a href="javascript:attacked=4">{{user}} $& \${attacked=5}</a>`

const escaped = attack
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll('"', '&quot;')
  .replaceAll('>', '&gt;')

/** A score with the attack in every text that the pages show. */
const hostileScore = musicXml({ title: attack, composer: attack, parts: ['X', 'Y'] })
  .replace('<part-name>X', () => `<part-name>${escaped}`)
  .replace('</identification>', () => `<rights>${escaped}</rights></identification>`)
  .replaceAll('</note>', () => `<lyric><text>${escaped}</text></lyric></note>`)
  .replace(
    '</attributes>',
    () => `</attributes><direction><direction-type><words>${escaped}</words></direction-type></direction>`,
  )

// test/support/chromium.ts fails a test if a page breaks its content security policy: an attack that the policy stopped fails, too.
const app = useApp(usingDatabases('sqlite'))

describeInBrowser('a text with scripts', (browser) => {
  let mallory: Person
  let collection: string
  let score: string

  beforeAll(async () => {
    mallory = await app.person('mallory')
    await app.ctx.transaction((tx) => updateUser(tx, mallory.id, { firstname: attack, lastname: attack }))
    collection = (await mallory.post('/collections', { title: attack })).body.id
    const { body } = await mallory.post('/scores', {
      data: base64(hostileScore),
      dataEncoding: 'base64',
      privacy: 'public',
      collection,
    })
    score = body.id
    await newComment(app, score, { comment: attack })
  })

  async function expectOnlyText(page: Page): Promise<void> {
    expect(await page.evaluate('typeof attacked')).toBe('undefined')
    const elements = '[onerror], [onload], [href^="javascript:"], img[src="/x.png"], body script:not([src])'
    expect(await page.locator(elements).count()).toBe(0)
  }

  it('is only text in the library, its dialogs and the page of a user', async () => {
    const { page } = await browser.open(mallory, { baseURL: app.url })
    const link = page.getByRole('main').getByRole('link', { name: attack }).first()
    for (const path of ['/', '/scores', `/scores/collections/${collection}`, `/users/${mallory.id}`]) {
      await page.goto(path)
      await link.waitFor()
      await expectOnlyText(page)
    }
    await page.goto('/scores')
    const actions = page.getByRole('button', { name: `Actions for ${attack}` }).first()
    for (const choice of ['Rename', 'Add to a collection']) {
      await actions.click()
      await page.getByRole('dialog').getByRole('button', { name: choice, exact: true }).click()
      await expectOnlyText(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await actions.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('status').getByText(attack).waitFor()
    await expectOnlyText(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await link.waitFor()
  })

  it('is only text on the page of a score, in its panels and its HTML', async () => {
    const { page } = await browser.open(mallory, { baseURL: app.url })
    const response = await page.goto(`/scores/${score}`)
    // The tags for cards of links are in the HTML itself.
    const html = (await response?.text()) ?? ''
    expect(html).toContain('<meta property="og:title" content="x&#39;&quot;&gt;&lt;/title&gt;')
    expect(html).not.toMatch(/attacked=\d\)?<\/|<img|<svg/)
    await page.getByRole('heading', { level: 1, name: attack }).waitFor()
    await page
      .getByRole('img', { name: /^Page 1 of/ })
      .locator('svg')
      .waitFor()
    expect(await page.title()).toBe(`${attack} – Partita`)
    await page.getByRole('button', { name: 'Practise' }).click()
    await page.getByText(attack).last().waitFor()
    await page.getByRole('button', { name: 'Comments' }).click()
    await page.getByRole('article').or(page.getByRole('listitem')).getByText(attack).first().waitFor()
    await expectOnlyText(page)
    // What a printer gets is the same document.
    await page.emulateMedia({ media: 'print' })
    await expectOnlyText(page)
  })

  it('runs in no file of a score that the browser opens, and the names of files are safe', async () => {
    const { page } = await browser.open(undefined, { baseURL: app.url })
    for (const format of ['svg', 'xml', 'json', 'abc', 'noteTimes']) {
      const address = `${app.url}/v2/scores/${score}/revisions/last/${format}`
      const { headers } = await send(address)
      expect([format, headers.get('content-security-policy')]).toEqual([
        format,
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ])
      const name = headers.get('content-disposition')
      // A name has neither quotes nor a path that could leave the folder of downloads.
      expect(name ?? '').toMatch(/^$|^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/)
      if (name !== null) continue
      await page.goto(address)
      expect(await page.evaluate('typeof attacked')).toBe('undefined')
    }
  })
})

/** Each kind of response that a browser can show as a document, and its address. */
const kinds: readonly [kind: string, path: string][] = [
  ['the start page', '/'],
  ['a page of the app', '/users/0123456789abcdef01234567'],
  ['a page with a form', '/auth/signin'],
  ['a page of an error', '/scores/nothing/nothing'],
  ['the reference', '/docs'],
]

it.each(kinds)('%s allows nothing of another address', async (_kind, path) => {
  const { headers } = await send(app.url + path, { headers: { Accept: 'text/html' } })
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'/)
  expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
