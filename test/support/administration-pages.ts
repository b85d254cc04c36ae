import type { PageState } from './pages.ts'
import type { Person } from './people.ts'
import { chooseRoster } from './rosters.ts'
import type { ActingStateMaker, StateMaker } from './school-pages.ts'

/** Returns the pages of the administrators of an organization, in each of their states. */
export function administrationPageStates(
  { ada, tess, lotte }: Record<'ada' | 'tess' | 'lotte', Person>,
  at: StateMaker,
  after: ActingStateMaker,
): PageState[] {
  return [
    after('home-administrator', '/', ada, (page) => page.getByText('Pending invitations').waitFor()),
    at('members', '/organization/members', ada),
    after('members-filtered', '/organization/members', ada, async (page) => {
      await page.getByLabel('Name or e-mail').fill('zzz')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByText('No members match').waitFor()
    }),
    after('members-selected', '/organization/members', ada, async (page) => {
      await page.getByText(/^Select all shown/).click()
      await page.getByRole('button', { name: 'New first passwords' }).waitFor()
    }),
    at('roster', '/organization/members/import', ada),
    after('roster-preview', '/organization/members/import', ada, async (page) => {
      await chooseRoster(
        page,
        'username,firstname,role,class',
        'zoe,Zoe,student,Choir',
        `${tess.username},Theresa,,`,
      )
      await page.getByRole('button', { name: 'Import now' }).waitFor()
    }),
    after('roster-problems', '/organization/members/import', ada, async (page) => {
      await chooseRoster(page, 'username,role', 'zoe,wizard')
      await page.getByText('Problems: 1.').waitFor()
    }),
    at('member', `/organization/members/${tess.id}`, ada),
    at('member-student', `/organization/members/${lotte.id}`, ada),
    at('member-own', `/organization/members/${ada.id}`, ada),
    at('member-none', '/organization/members/nothing', ada),
    at('invitations', '/organization/invitations', ada),
    after('invitation-created', '/organization/invitations', ada, async (page) => {
      await page.getByLabel('E-mail address').fill('new.colleague@example.com')
      await page.getByLabel('Role').selectOption('Teacher')
      await page.getByRole('button', { name: 'Create invitation' }).click()
      await page.getByText('The invitation was created.').waitFor()
    }),
    after('school-classes', '/organization/classes', ada, (page) => page.getByText('Winds 4b').waitFor()),
    after('school-classes-none', '/organization/classes?state=archived', ada, async (page) => {
      await page.getByLabel('Name of the class').fill('zzz')
      await page.getByText('No classes match').waitFor()
    }),
    at('organization', '/organization/settings', ada),
    after('organization-review', '/organization/settings', ada, async (page) => {
      await page.getByLabel('Longest time signed in').fill('12')
      await page.getByRole('button', { name: 'Check changes' }).click()
      await page.getByRole('textbox', { name: 'Password' }).waitFor()
    }),
    after('organization-refused', '/organization/settings', ada, async (page) => {
      await page.getByText('must use two-step sign-in').click()
      await page.getByRole('button', { name: 'Check changes' }).click()
      await page.getByText('Your own account does not satisfy').waitFor()
    }),
    at('members-denied', '/organization/members', tess),
    at('audit-log', '/organization/audit-log', ada),
  ]
}
