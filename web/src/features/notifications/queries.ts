import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** The number of unread notifications is read again after this time, in milliseconds. */
const countAgainAfter = 120_000

export const notificationsKey = ['notifications']

export const unreadQuery = queryOptions({
  queryKey: [...notificationsKey, 'unread'],
  queryFn: async () => (await call('listNotifications', { query: { limit: 0 } })).unread,
  staleTime: countAgainAfter / 2,
  refetchInterval: countAgainAfter,
})

export const calendarFeedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: () => call('getCalendarFeed'),
})

export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...notificationsKey, 'list'],
  queryFn: ({ pageParam }) =>
    call('listNotifications', { query: pageParam === null ? {} : { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})
