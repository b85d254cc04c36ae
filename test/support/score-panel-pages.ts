import type { Page } from 'playwright-core'
import type { PageState } from './pages.ts'
import type { Person } from './people.ts'
import type { ActingStateMaker } from './school-pages.ts'

/** Returns the states of the details of a score, and of the dialog with the code of an embed. */
export function scorePanelStates(
  score: string,
  owner: Person,
  viewer: Person,
  after: ActingStateMaker,
): PageState[] {
  return [
    after('score-details', `/scores/${score}`, viewer, async (page) => {
      await shown(page)
      await page.getByRole('button', { name: 'Details' }).click()
      await page.getByText('Last change').waitFor()
    }),
    after('score-details-refused', `/scores/${score}`, owner, async (page) => {
      await shown(page)
      await page.getByRole('button', { name: 'Details' }).click()
      const panel = page.getByRole('complementary', { name: 'Details' })
      await panel.getByRole('button', { name: 'Edit' }).click()
      await panel.getByLabel('Tags').fill('left-hand')
      await panel.getByRole('button', { name: 'Save' }).click()
      await panel.locator('.field-error').waitFor()
    }),
    after('score-embed', `/scores/${score}`, viewer, async (page) => {
      await shown(page)
      await page.getByRole('button', { name: 'Embed' }).click()
      await page.frameLocator('iframe').locator('.sheet svg').first().waitFor()
      await page.getByRole('checkbox', { name: 'Show controls' }).waitFor()
    }),
    after('embed', `/embed/${score}`, undefined, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Evening song' }).waitFor()
      await shown(page)
    }),
  ]
}

/** Waits for the music and the player. */
async function shown(page: Page): Promise<void> {
  await page.locator('.sheet svg').first().waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
}
