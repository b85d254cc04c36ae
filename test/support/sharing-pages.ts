import type { Person, TestApp } from './app.ts'
import type { PageState } from './pages.ts'
import type { ActingStateMaker } from './school-pages.ts'
import { musicXml } from './scores.ts'
import { give } from './sharing.ts'

/** Returns the states of the dialog that shares a score. */
export async function sharingPageStates(
  app: TestApp,
  after: ActingStateMaker,
  owner: Person,
  reader: Person,
): Promise<PageState[]> {
  const data = musicXml({ title: 'Morning song' })
  const score: string = (await owner.post('/scores', { data, privacy: 'privateLink' })).body.id
  await give(app, { on: 'score', id: score }, { user: reader.id }, 'read')
  const { body: collection } = await owner.post('/collections', { title: 'Concert in the park' })
  await owner.put(`/collections/${collection.id}/scores/${score}`)
  await give(app, { on: 'collection', id: collection.id }, { user: reader.id }, 'write')
  return [
    after('score-share', `/scores/${score}`, owner, async (page) => {
      await page.locator('.sheet svg').first().waitFor()
      await page.getByRole('button', { name: 'Share' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share' })
      await dialog.getByText('Shared directly').waitFor()
      await dialog.getByText('Through the collection').waitFor()
      await dialog.getByLabel('Add people or groups').fill(reader.username)
      await dialog.getByRole('button', { name: `Share with ${reader.username}` }).waitFor()
    }),
  ]
}
