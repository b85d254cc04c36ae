import type { Page } from 'playwright-core'
import type { PageState } from './pages.ts'
import type { Person } from './people.ts'
import type { ActingStateMaker } from './school-pages.ts'

/** Returns the dialog with the code of an embed. */
export function embedPageStates(score: string, viewer: Person, after: ActingStateMaker): PageState[] {
  return [
    after('score-embed', `/scores/${score}`, viewer, async (page) => {
      await shown(page)
      await page.getByRole('button', { name: 'Embed' }).click()
      await page.frameLocator('iframe').locator('.sheet svg').first().waitFor()
      await page.getByRole('checkbox', { name: 'Show controls' }).waitFor()
    }),
  ]
}

/** Waits for the music and the player. */
async function shown(page: Page): Promise<void> {
  await page.locator('.sheet svg').first().waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
}
