import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** People and groups that a score can be shared with. Nothing is looked for without a text. */
export const peopleQuery = (score: string, q: string) =>
  queryOptions({
    queryKey: ['people', score, q],
    queryFn: () => call('searchScorePeople', { params: { score }, query: { q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

/** People who can be mentioned in comments on a score. */
export const readersQuery = (score: string, q: string | undefined, sharingKey: string | undefined) =>
  queryOptions({
    queryKey: ['people', score, q, 'readers'],
    queryFn: () =>
      call('searchScorePeople', {
        params: { score },
        query: { q: q ?? '', canRead: true, ...(sharingKey !== undefined && { sharingKey }) },
      }),
    enabled: q !== undefined,
  })
