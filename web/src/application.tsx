import type { ComponentType } from 'react'
import { RouterProvider } from 'react-aria-components'
import type { AccountPage } from '../../src/contract/account-pages.ts'
import type { Me } from '../../src/contract/account.ts'
import { Navigation } from './navigation.tsx'
import { AccountOverview } from './pages/account-overview.tsx'
import { AuditLogPage } from './pages/audit-log.tsx'
import { MyApps } from './pages/my-apps.tsx'
import { NewAppPage } from './pages/new-app.tsx'
import { NewTokenPage } from './pages/new-token.tsx'
import { SecurityPage } from './pages/security.tsx'
import { goTo, usePath } from './routing.ts'

const pages: Readonly<Record<AccountPage, ComponentType>> = {
  '/account': AccountOverview,
  '/account/tokens/new': NewTokenPage,
  '/account/apps': MyApps,
  '/account/apps/new': NewAppPage,
  '/account/security': SecurityPage,
  '/account/audit-log': AuditLogPage,
}

/** The pages of one's account. */
export function Application({ me }: { me: Me }) {
  const path = usePath()
  const Page = pages[path as AccountPage] ?? AccountOverview
  return (
    <RouterProvider navigate={goTo}>
      <Navigation me={me} path={path} />
      {/* Another page begins anew, and says its name to who does not see it. */}
      <Page key={path} />
    </RouterProvider>
  )
}
