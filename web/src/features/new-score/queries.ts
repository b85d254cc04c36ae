import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** @param words words in the names of instruments or groups, in any language */
export const instrumentsQuery = (words: string) =>
  queryOptions({
    queryKey: ['instruments', words],
    queryFn: () => call('listInstruments', { query: { q: words } }),
    // The last list stays while the next one loads, so that it does not flicker while the user types.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
