import { Link } from 'react-aria-components/Link'
import { navigationFor, pathTo } from '../../../src/contract/app-pages.ts'
import { useMe } from './queries.ts'
import { useRouter } from './router.ts'
import { useTexts } from './texts.ts'

/** The links to the areas, the name of the user and the button to sign out. */
export function Navigation() {
  const { text } = useTexts()
  const { path } = useRouter()
  const me = useMe()
  const links = navigationFor(me.organizationRole)
  const current = links.findLast(({ address }) => path === address || path.startsWith(`${address}/`))
  return (
    <header>
      <nav aria-label={text('nav.label')}>
        {links.map((link) => (
          <Link
            key={link.address}
            href={pathTo(link.address)}
            aria-current={link === current ? 'page' : undefined}
          >
            {text(link.text)}
          </Link>
        ))}
        <div className="signed-in">
          <span>{text('nav.signedInAs', { user: me.username })}</span>
          <form method="post" action="/auth/signout">
            <button className="second" type="submit">
              {text('signOut.do')}
            </button>
          </form>
        </div>
      </nav>
    </header>
  )
}
