import { createContext, useContext, useEffect, useMemo, useState } from 'react'

export interface Router {
  /** The path of the page that is shown, without a slash at the end. */
  readonly path: string
  /** The parameters after the path. A page keeps in them what a link to it should show again. */
  readonly search: URLSearchParams
  /** Opens another page of the app and adds an entry to the history of the browser. */
  goTo(path: string): void
  /** Changes parameters after the path without a new entry in the history. Undefined and an empty text remove a parameter. */
  setSearch(changed: Readonly<Record<string, string | undefined>>): void
}

export const RouterContext = createContext<Router | undefined>(undefined)

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('useRouter is used outside of RouterContext')
  return router
}

interface Shown<Page> {
  readonly path: string
  readonly search: string
  readonly page: Page
}

/**
 * Keeps the page in step with the address bar. The current page stays visible while the next one loads.
 * @param load must be the same function on each render
 */
export function useRouterState<Page>(
  firstPage: Page,
  load: (path: string) => Promise<Page>,
): { page: Page; router: Router } {
  const [{ path, search, page }, setShown] = useState<Shown<Page>>(() => ({
    path: currentPath(),
    search: location.search,
    page: firstPage,
  }))

  const { goTo, setSearch, followHistory } = useMemo(() => {
    async function show(path: string): Promise<void> {
      const page = await load(path).catch(() => undefined)
      // The user has opened another page in the meantime.
      if (path !== currentPath()) return
      // The chunks have other names after an update of the server. The current page of the server knows them.
      if (page === undefined) return location.reload()
      setShown({ path, search: location.search, page })
    }
    return {
      followHistory: () => void show(currentPath()),
      goTo(address: string) {
        const { href } = new URL(address, location.href)
        if (href === location.href) return
        history.pushState(null, '', href)
        void show(currentPath()).then(() => scrollTo(0, 0))
      },
      setSearch(changed: Readonly<Record<string, string | undefined>>) {
        const search = new URLSearchParams(location.search)
        for (const [name, value] of Object.entries(changed)) {
          if (value) search.set(name, value)
          else search.delete(name)
        }
        history.replaceState(history.state, '', search.size > 0 ? `?${search}` : location.pathname)
        setShown((shown) => ({ ...shown, search: location.search }))
      },
    }
  }, [load])

  useEffect(() => {
    addEventListener('popstate', followHistory)
    return () => removeEventListener('popstate', followHistory)
  }, [followHistory])

  const router = useMemo(
    () => ({ path, search: new URLSearchParams(search), goTo, setSearch }),
    [path, search, goTo, setSearch],
  )
  return { page, router }
}

function currentPath(): string {
  return location.pathname.replace(/(?<=.)\/$/, '')
}
