import { lazy, Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { isBelow, navigationFor, pathTo, type Section } from '../../../src/contract/app-pages.ts'
import type { SignedInUser } from '../../../src/contract/account.ts'
import { Button } from '../ui/buttons.tsx'
import { Icon } from '../ui/icon.tsx'
import { useShortcutHelp, useShortcuts } from '../ui/shortcuts.tsx'
import { useViewer } from './queries.ts'
import { useRouter } from './router.ts'
import { useTexts } from './texts.ts'

const UnreadCount = lazy(() => import('../features/notifications/unread-count.tsx'))

/** The name of the program, the links to the sections, the name of the user and the button to sign out. */
export function Navigation() {
  const { text } = useTexts()
  const viewer = useViewer()
  return (
    <header className="rail">
      <a className="skip" href="#main">
        {text('nav.skip')}
      </a>
      <Link className="brand" href={pathTo('/')}>
        Partita
      </Link>
      {viewer ? <OwnNavigation viewer={viewer} /> : <SignInLink />}
    </header>
  )
}

function OwnNavigation({ viewer }: { viewer: SignedInUser }) {
  const { text } = useTexts()
  const { path, goTo } = useRouter()
  const showHelp = useShortcutHelp()
  useShortcuts([
    { key: 'h', text: 'shortcuts.home', run: () => goTo(pathTo('/')) },
    { key: 's', text: 'shortcuts.scores', run: () => goTo(pathTo('/scores')) },
    ...(viewer.organizationRole === null
      ? []
      : [{ key: 'c', text: 'shortcuts.classes', run: () => goTo(pathTo('/classes')) } as const]),
  ])
  return (
    <>
      <nav aria-label={text('nav.label')}>
        {navigationFor(viewer).map(({ address, folder, icon, ...link }) => (
          <Link
            key={address}
            href={pathTo(address)}
            aria-current={isBelow(folder, path) ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span>{text(link.text)}</span>
          </Link>
        ))}
      </nav>
      <div className="signed-in">
        {hasNotifications(viewer) && (
          <Link className="bell" href={pathTo('/notifications')}>
            <Icon name="bell" />
            <span>{text('notifications.title')}</span>
            <Suspense>
              <UnreadCount />
            </Suspense>
          </Link>
        )}
        <span>{text('nav.signedInAs', { user: viewer.username })}</span>
        <form method="post" action="/auth/signout">
          <button className="second" type="submit">
            {text('signOut.do')}
          </button>
        </form>
        <span className="shortcut-help">
          <Button isSecondary onPress={showHelp}>
            {text('shortcuts.title')}
          </Button>
        </span>
      </div>
    </>
  )
}

/** An individual account has no classes, and a delegated session does not see the notifications of the user. */
const hasNotifications = ({ organizationRole, isDelegated }: SignedInUser): boolean =>
  organizationRole !== null && !isDelegated

function SignInLink() {
  const { text } = useTexts()
  const { path, search } = useRouter()
  const next = search.size > 0 ? `${path}?${search}` : path
  return (
    <a className="button second" href={`/auth/signin?${new URLSearchParams({ next })}`}>
      {text('signIn.do')}
    </a>
  )
}

/** The links to the pages of the current section. */
export function Tabs() {
  const { text } = useTexts()
  const { path } = useRouter()
  const viewer = useViewer()
  const section: Section | undefined =
    viewer === null ? undefined : navigationFor(viewer).findLast(({ folder }) => isBelow(folder, path))
  if (!section || section.pages.length === 0) return null
  const current = section.pages.findLast(({ address }) => isBelow(address, path))
  return (
    <nav className="tabs" aria-label={text(section.text)}>
      {section.pages.map((page) => (
        <Link
          key={page.address}
          href={pathTo(page.address)}
          aria-current={page === current ? 'page' : undefined}
          // A phone shows a part of the tabs.
          ref={(link) => void (page === current && link?.scrollIntoView({ block: 'nearest' }))}
        >
          {text(page.text)}
        </Link>
      ))}
    </nav>
  )
}
