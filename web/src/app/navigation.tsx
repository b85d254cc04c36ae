import { Link } from 'react-aria-components/Link'
import { type AppAddress, pathTo } from '../../../src/contract/app-pages.ts'
import type { SignedInUser } from '../../../src/contract/account.ts'
import type { TextKey } from '../../../src/texts/catalogue.ts'
import { useMe } from './queries.ts'
import { useRouter } from './router.ts'
import { useTexts } from './texts.ts'

const isAdministrator = ({ organizationRole }: SignedInUser) =>
  organizationRole === 'admin' || organizationRole === 'accountAdmin'

interface Entry {
  readonly address: Exclude<AppAddress, `${string}{${string}`>
  readonly name: TextKey
  /** Every user sees the entry unless this returns false. */
  isVisibleTo?(me: SignedInUser): boolean
}

const entries: readonly Entry[] = [
  { address: '/account', name: 'nav.account' },
  { address: '/account/apps', name: 'nav.apps' },
  { address: '/account/security', name: 'nav.security' },
  { address: '/account/audit-log', name: 'audit.title', isVisibleTo: isAdministrator },
]

/** The links to the areas, the name of the user and the button to sign out. */
export function Navigation() {
  const { text } = useTexts()
  const { path } = useRouter()
  const me = useMe()
  const current = entries.findLast(({ address }) => path === address || path.startsWith(`${address}/`))
  return (
    <header>
      <nav aria-label={text('nav.label')}>
        {entries
          .filter(({ isVisibleTo }) => isVisibleTo?.(me) ?? true)
          .map((entry) => (
            <Link
              key={entry.address}
              href={pathTo(entry.address)}
              aria-current={entry === current ? 'page' : undefined}
            >
              {text(entry.name)}
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
