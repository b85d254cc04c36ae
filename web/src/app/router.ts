import { createContext, useContext, useEffect, useMemo, useState } from 'react'

export interface Router {
  /** The path of the page that is shown, without a slash at the end. */
  readonly path: string
  /** The message that the previous page passed to `goTo`. */
  readonly notice: string | undefined
  /** Opens another page of the app and adds an entry to the history of the browser. */
  goTo(path: string, notice?: string): void
}

export const RouterContext = createContext<Router | undefined>(undefined)

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('useRouter is used outside of RouterContext')
  return router
}

interface Shown<Page> {
  readonly path: string
  readonly page: Page
  readonly notice: string | undefined
}

/**
 * Keeps the page in step with the address bar. The current page stays visible while the next one loads.
 * @param load must be the same function on each render
 */
export function useRouterState<Page>(
  firstPage: Page,
  load: (path: string) => Promise<Page>,
): { page: Page; router: Router } {
  const [{ path, page, notice }, setShown] = useState<Shown<Page>>(() => ({
    path: currentPath(),
    page: firstPage,
    notice: undefined,
  }))

  const { goTo, followHistory } = useMemo(() => {
    async function show(path: string, notice?: string): Promise<void> {
      const page = await load(path).catch(() => undefined)
      // The user has opened another page in the meantime.
      if (path !== currentPath()) return
      // The chunks have other names after an update of the server. The current page of the server knows them.
      if (page === undefined) return location.reload()
      setShown({ path, page, notice })
    }
    return {
      followHistory: () => void show(currentPath()),
      goTo(address: string, notice?: string) {
        const { href } = new URL(address, location.href)
        if (href === location.href) return
        history.pushState(null, '', href)
        void show(currentPath(), notice).then(() => scrollTo(0, 0))
      },
    }
  }, [load])

  useEffect(() => {
    addEventListener('popstate', followHistory)
    return () => removeEventListener('popstate', followHistory)
  }, [followHistory])

  const router = useMemo(() => ({ path, notice, goTo }), [path, notice, goTo])
  return { page, router }
}

function currentPath(): string {
  return location.pathname.replace(/(?<=.)\/$/, '')
}
