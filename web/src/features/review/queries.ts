import { infiniteQueryOptions } from '@tanstack/react-query'
import { callPage } from '../../app/client.ts'

/** The grades of a class, page after page of its students. */
export const gradebookQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['classes', id, 'gradebook'],
    queryFn: ({ pageParam }) =>
      callPage('getGradebook', {
        params: { class: id },
        query: { limit: 100, ...(pageParam !== null && { next: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
