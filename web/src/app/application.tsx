import { RouterProvider } from 'react-aria-components'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Shortcuts } from '../ui/shortcuts.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Navigation, Tabs } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { type LoadedPage, loadPage } from './pages.ts'
import { RouterContext, useRouterState } from './router.ts'

/** The navigation and the page at the current address. */
export function Application({ firstPage }: { firstPage: LoadedPage }) {
  const { page, router } = useRouterState(firstPage, loadPage)
  return (
    <RouterContext value={router}>
      <RouterProvider navigate={router.goTo}>
        <Shortcuts>
          <Toasts>
            <Navigation />
            <div>
              <OfflineNotice />
              <Tabs />
              {/* With a key, each address starts with fresh state and moves the focus to its title. */}
              <ErrorBoundary key={router.path}>
                <page.Content {...page.parameters} />
              </ErrorBoundary>
            </div>
          </Toasts>
        </Shortcuts>
      </RouterProvider>
    </RouterContext>
  )
}
