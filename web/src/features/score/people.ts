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
