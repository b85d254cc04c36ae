import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** The scores of the user that match some words. */
export const foundScoresQuery = (words: string) =>
  queryOptions({
    queryKey: ['lists', 'picker', words],
    queryFn: () =>
      call('listCollectionScores', {
        params: { collection: 'allScores' },
        query: { limit: 20, sort: 'modificationDate', direction: 'desc', ...(words && { q: words }) },
      }),
    placeholderData: keepPreviousData,
  })
