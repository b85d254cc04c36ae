import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ScoreSort } from '../../../../src/contract/paging.ts'
import type { ScorePrivacy } from '../../../../src/contract/scores.ts'
import { call, callPage } from '../../app/client.ts'

/** Which scores a list shows, and in which order. */
export interface ListView {
  /** The id of a collection, or `allScores`, `collaborations`, `likes` or `trash`. */
  readonly collection: string
  /** Words in titles, credits and instruments. */
  readonly words: string
  readonly filters: Filters
  readonly sort: Sort
}

/** Which scores of a list are wanted. A missing filter lets all of them through. */
export interface Filters {
  /** Beginnings of words in the name of the composer. */
  readonly composer?: string | undefined
  /** The same in the names of the instruments. */
  readonly instrument?: string | undefined
  readonly privacy?: ScorePrivacy | undefined
  readonly owner?: 'me' | 'others' | undefined
}

export interface Sort {
  readonly field: ScoreSort
  readonly direction: 'asc' | 'desc'
}

/** The usual order of a list: what the user changed last comes first. */
export const usualSort: Sort = { field: 'modificationDate', direction: 'desc' }

/** The key of all lists of scores. */
export const listsKey = ['lists'] as const

/** The scores of a list, page after page. */
export const scoresQuery = ({ collection, words, filters, sort }: ListView) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, collection, words, filters, sort.field, sort.direction],
    queryFn: ({ pageParam }) =>
      callPage('listCollectionScores', {
        params: { collection },
        query: {
          limit: 60,
          sort: sort.field,
          direction: sort.direction,
          ...(words && { q: words }),
          ...filters,
          ...(pageParam !== null && { next: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // The last list stays while the next one loads, so that it does not flicker while the user types.
    placeholderData: keepPreviousData,
  })

/** The collections of the user and those shared with the user, by title. The virtual ones come first. */
export const collectionsQuery = infiniteQueryOptions({
  queryKey: ['collections'],
  queryFn: ({ pageParam }) =>
    callPage('listCollections', {
      query: { limit: 100, sort: 'title', ...(pageParam !== null && { next: pageParam }) },
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

export const collectionQuery = (collection: string) =>
  queryOptions({
    queryKey: ['collections', collection],
    queryFn: () => call('getCollection', { params: { collection } }),
  })

/** A score by its id. */
export const openedScoreQuery = (score: string) =>
  queryOptions({ queryKey: ['scores', score, ''], queryFn: () => call('getScore', { params: { score } }) })

export const userQuery = (user: string) =>
  queryOptions({ queryKey: ['users', user], queryFn: () => call('getUser', { params: { user } }) })

/** The public scores of a user, page after page. */
export const userScoresQuery = (user: string) =>
  infiniteQueryOptions({
    queryKey: ['users', user, 'scores'],
    queryFn: ({ pageParam }) =>
      callPage('getUserScores', {
        params: { user },
        query: { paginate: true, limit: 60, ...(pageParam !== null && { next: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
