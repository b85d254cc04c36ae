import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, callPage } from '../../app/client.ts'

/** The scores that the user changed last. */
export const recentScoresQuery = queryOptions({
  queryKey: ['lists', 'recent'],
  queryFn: () => call('listCollectionScores', { params: { collection: 'allScores' }, query: { limit: 6 } }),
})

/** The scores of a collection, page after page. */
export const scoresQuery = (collection: string) =>
  infiniteQueryOptions({
    queryKey: ['lists', collection],
    queryFn: ({ pageParam }) =>
      callPage('listCollectionScores', {
        params: { collection },
        query: { limit: 50, ...(pageParam !== null && { next: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
