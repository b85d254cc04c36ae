import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { SignedInUser } from '../../../src/contract/account.ts'
import { call } from './client.ts'

/** Creates the cache of everything that the app has read from the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // An error is shown immediately. Without a network, a request fails instead of waiting for the network.
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** The signed-in user. Null for a visitor: the server marks the page (src/web-app/browser-app.ts). */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: (): Promise<SignedInUser | null> =>
    'visitor' in document.documentElement.dataset ? Promise.resolve(null) : call('getSignedInUser'),
  staleTime: Infinity,
})

/** Returns the signed-in user, or null on a page that visitors can open. The app loads the user before it shows the first page. */
export function useViewer(): SignedInUser | null {
  return useSuspenseQuery(meQuery).data
}

/** Returns the signed-in user, on a page that only signed-in users can open. */
export function useMe(): SignedInUser {
  const viewer = useViewer()
  if (!viewer) throw new Error('useMe is used on a page for visitors')
  return viewer
}
