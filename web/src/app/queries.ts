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

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => call('getSignedInUser'),
  staleTime: Infinity,
})

/** Returns the signed-in user. The app loads the user before it shows the first page. */
export function useMe(): SignedInUser {
  return useSuspenseQuery(meQuery).data
}
