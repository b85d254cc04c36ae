import { RouterProvider } from 'react-aria-components'
import { Navigation } from './navigation.tsx'
import { type LoadedPage, loadPage } from './pages.ts'
import { RouterContext, useRouterState } from './router.ts'

/** The navigation and the page at the current address. */
export function Application({ firstPage }: { firstPage: LoadedPage }) {
  const { page, router } = useRouterState(firstPage, loadPage)
  return (
    <RouterContext value={router}>
      <RouterProvider navigate={router.goTo}>
        <Navigation />
        {/* With a key, each address starts with fresh state and moves the focus to its title. */}
        <page.Content key={router.path} {...page.parameters} />
      </RouterProvider>
    </RouterContext>
  )
}
