import { RouterProvider } from 'react-aria-components'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { HomeSectionsContext } from '../ui/home-sections.ts'
import { Shortcuts } from '../ui/shortcuts.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Uploads } from './uploads.tsx'
import { AppUpdate } from './app-update.tsx'
import { homeSections } from './home-sections.ts'
import { Navigation, Tabs } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { type LoadedPage, loadPage } from './pages.ts'
import { RouterContext, useRouterState } from './router.ts'
import { SessionEnd } from './session-end-dialog.tsx'

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
                <HomeSectionsContext value={homeSections}>
                  <page.Content {...page.parameters} />
                </HomeSectionsContext>
              </ErrorBoundary>
            </div>
            <Uploads />
            <SessionEnd />
            <AppUpdate />
          </Toasts>
        </Shortcuts>
      </RouterProvider>
    </RouterContext>
  )
}
