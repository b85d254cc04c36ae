import { Link } from 'react-aria-components/Link'
import type { AccountPage } from '../../src/contract/account-pages.ts'
import type { Me } from '../../src/contract/account.ts'
import type { TextKey } from '../../src/texts/catalogue.ts'
import { useTexts } from './texts.ts'

const isAdministrator = ({ organizationRole }: Me) =>
  organizationRole === 'admin' || organizationRole === 'accountAdmin'

const places: readonly { path: AccountPage; name: TextKey; isFor?(me: Me): boolean }[] = [
  { path: '/account', name: 'nav.account' },
  { path: '/account/apps', name: 'nav.apps' },
  { path: '/account/security', name: 'nav.security' },
  { path: '/account/audit-log', name: 'audit.title', isFor: isAdministrator },
]

/** Where one can go, and who one is. */
export function Navigation({ me, path }: { me: Me; path: string }) {
  const { text } = useTexts()
  const here = places.findLast((place) => path === place.path || path.startsWith(`${place.path}/`))
  return (
    <header>
      <nav aria-label={text('nav.label')}>
        {places
          .filter(({ isFor }) => isFor?.(me) ?? true)
          .map((place) => (
            <Link key={place.path} href={place.path} aria-current={place === here ? 'page' : undefined}>
              {text(place.name)}
            </Link>
          ))}
        <span>{text('nav.signedInAs', { user: me.username })}</span>
        <form method="post" action="/auth/signout">
          <button className="second" type="submit">
            {text('signOut.do')}
          </button>
        </form>
      </nav>
    </header>
  )
}
