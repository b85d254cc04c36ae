import type { PageState } from './pages.ts'
import type { Person } from './people.ts'
import { newFolder, newResourceWithScore } from './resources.ts'
import type { ActingStateMaker, StateMaker } from './school-pages.ts'
import { musicXml } from './scores.ts'

/** Returns the pages of libraries, of folders and of resources, in each of their states. */
export async function resourcePageStates(
  at: StateMaker,
  after: ActingStateMaker,
  teacher: Person,
  student: Person,
): Promise<PageState[]> {
  const folder = await newFolder(teacher, 'Canons and rounds of the lower school, with a long name')
  const score = (await teacher.post('/scores', { data: musicXml({ title: 'Canon' }) })).body.id
  const { id } = await newResourceWithScore(teacher, score)
  await teacher.put(`/eduResources/${id}`, {
    sharingDescription: 'A first canon for two voices.',
    subjects: ['choir', 'general-music'],
    grades: ['5', '6', '7'],
  })
  const inDialog = (name: string, button: string, then: string) =>
    after(name, `/library/resource/${id}`, teacher, async (page) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').getByText(then).first().waitFor()
    })
  return [
    after('resources', '/library', teacher, (page) => page.locator('.resource-cards img').waitFor()),
    at('resources-none', '/library/organization', teacher),
    at('resources-student', '/library', student),
    at('resources-folder', `/library/${folder}`, teacher),
    at('resources-missing', '/library/0123456789abcdef01234567', teacher),
    after('resource', `/library/resource/${id}`, teacher, (page) => page.locator('aside img').waitFor()),
    inDialog('resource-use', 'Use in a class', 'Strings 4b'),
    inDialog('resource-details', 'Title, subject and grade', 'Grade'),
    inDialog('resource-move', 'Move', 'My resources'),
    inDialog('resource-share', 'Share', 'Who can open it'),
  ]
}
