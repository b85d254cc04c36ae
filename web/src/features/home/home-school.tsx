import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { navigationFor, pathTo } from '../../../../src/contract/app-pages.ts'
import type { OrganizationSummary } from '../../../../src/contract/organization-overview.ts'
import { rankedRoles } from '../../../../src/contract/roles.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { sizeIn } from '../../ui/byte-size.ts'
import { QueryContent } from '../../ui/query-content.tsx'

const summaryQuery = queryOptions({
  queryKey: ['organization', 'summary'],
  queryFn: () => call('getOrganizationSummary'),
})

/** The school in numbers, for an administrator. Each number leads to its page. */
export function HomeSchool() {
  // Who has the pages of the school in the navigation can read the numbers.
  const isShown = navigationFor(useMe()).some(({ folder }) => folder === '/organization')
  return isShown && <School />
}

function School() {
  const { text } = useTexts()
  const summary = useQuery(summaryQuery)
  return (
    <section aria-labelledby="home-school">
      <h2 id="home-school">{text('nav.organization')}</h2>
      <QueryContent query={summary}>{(data) => <Numbers of={data} />}</QueryContent>
    </section>
  )
}

function Numbers({ of: { members, seats, storage, openInvitations, classes } }: { of: OrganizationSummary }) {
  const { text, language } = useTexts()
  const number = new Intl.NumberFormat(language)
  const size = (bytes: number) => sizeIn(language, bytes)
  const use = (used: string, allowed: string | null) =>
    allowed === null ? used : text('members.storage', { used, allowed })
  const taken = rankedRoles.reduce((sum, role) => sum + members[role], 0)
  const [people, settings] = [pathTo('/organization/members'), pathTo('/organization/settings')]
  const facts: (readonly [name: string, value: string, href: string])[] = [
    ...rankedRoles
      .filter((role) => members[role] > 0)
      .map(
        (role) =>
          [
            text(`home.members.${role}`),
            number.format(members[role]),
            `${people}?role=${role}&testAccounts=exclude`,
          ] as const,
      ),
    [text('home.seats'), use(number.format(taken), seats === null ? null : number.format(seats)), settings],
    [
      text('storage.title'),
      use(size(storage.used), storage.allowed === null ? null : size(storage.allowed)),
      settings,
    ],
    [text('home.invitations'), number.format(openInvitations), pathTo('/organization/invitations')],
    ...(['active', 'inactive'] as const)
      .filter((state) => state === 'active' || classes[state] > 0)
      .map(
        (state) =>
          [
            text(`home.classes.${state}`),
            number.format(classes[state]),
            `${pathTo('/organization/classes')}?state=${state}`,
          ] as const,
      ),
  ]
  return (
    <ul className="home-work home-school">
      {facts.map(([name, value, href]) => (
        <li key={name}>
          <Link href={href}>
            <span className="home-work-class">{name}</span>
            <span className="home-work-title">{value}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
