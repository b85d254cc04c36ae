import { musicXml } from './scores.ts'
import type { TestApp } from './app.ts'
import type { PageState } from './pages.ts'
import type { ActingStateMaker, StateMaker } from './school-pages.ts'

/** Returns the home page, the pages of the library and those of users, in each of their states. */
export async function libraryPageStates(
  app: TestApp,
  at: StateMaker,
  after: ActingStateMaker,
): Promise<PageState[]> {
  const [olga, nele] = [await app.person('olga'), await app.person('nele')]
  await olga.post('/scores', { data: musicXml({ title: 'Evening song' }), privacy: 'public' })
  const collection = (await olga.post('/collections', { title: 'Recital' })).body.id
  const pieces = ['Secret piece', 'Old piece', 'A piece with a title that is too long for one line of a card']
  for (const title of pieces) await olga.post('/scores', { data: musicXml({ title }), collection })

  return [
    at('user', `/users/${olga.id}`),
    at('user-empty', `/users/${nele.id}`, olga),
    at('user-none', '/users/me'),
    at('home', '/', olga),
    at('home-empty', '/', nele),
    after('library', '/scores', olga, async (page) => {
      await page.locator('.scores img').first().waitFor()
    }),
    after('library-list', '/scores?sort=title', olga, async (page) => {
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.getByLabel('Select Evening song').check()
      await page.getByRole('region', { name: 'Selected scores' }).waitFor()
    }),
    at('library-filters', '/scores?composer=nobody', olga),
    at('library-empty', '/scores', nele),
    after('library-not-found', '/scores', olga, async (page) => {
      await page.getByLabel('Search').fill('zzz')
      await page.getByText('No score matches').waitFor()
    }),
    after('library-actions', '/scores', olga, async (page) => {
      await page.getByRole('button', { name: 'Actions for Evening song' }).click()
      await page.getByRole('dialog', { name: 'Evening song' }).waitFor()
    }),
    after('library-uploads', '/scores', nele, async (page) => {
      const file = { mimeType: 'text/xml', buffer: Buffer.from('no score') }
      await page.setInputFiles('input[type=file]', [
        { name: 'first.musicxml', ...file },
        { name: 'a file with quite a long name for a telephone.musicxml', ...file },
      ])
      await page.getByText('Uploaded: 0 of 2, failed: 2').waitFor()
    }),
    after('library-share', '/scores', olga, async (page) => {
      await page.getByRole('button', { name: 'Actions for Secret piece' }).click()
      await page.getByRole('button', { name: 'Share by link' }).click()
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByRole('dialog').locator('code').waitFor()
    }),
    after('library-target', '/scores', olga, async (page) => {
      await page.getByRole('button', { name: 'Actions for Evening song' }).click()
      await page.getByRole('button', { name: 'Add to a collection' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Recital' }).waitFor()
    }),
    after('library-trashed', '/scores', olga, async (page) => {
      await page.getByRole('link', { name: /^Old piece/ }).focus()
      await page.keyboard.press('Delete')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    }),
    at('library-shared', '/scores/shared', nele),
    at('library-liked', '/scores/liked', nele),
    at('library-trash', '/scores/trash', olga),
    at('library-trash-empty', '/scores/trash', nele),
    at('library-collection', `/scores/collections/${collection}`, olga),
    at('library-collection-none', '/scores/collections/0123456789abcdef01234567', olga),
    after('library-upload-paused', '/scores', nele, async (page) => {
      const busy = { status: 503, headers: { 'Retry-After': '3600' }, json: {} }
      await page.route('**/v2/scores', (route) => route.fulfill(busy), { times: 1 })
      await page.setInputFiles('input[type=file]', {
        name: 'evening.musicxml',
        mimeType: 'text/xml',
        buffer: Buffer.from(musicXml({})),
      })
      await page.getByText('The server is busy.').waitFor()
    }),
    after('session-ended', '/scores', nele, async (page) => {
      await page.context().clearCookies()
      await page.getByLabel('Search').fill('etude')
      await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    }),
  ]
}
