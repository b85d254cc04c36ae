import { queryOptions } from '@tanstack/react-query'
import { call } from '../app/client.ts'

/** @param sharingKey opens a score that is shared by a link */
export const scoreQuery = (score: string, sharingKey: string | undefined) =>
  queryOptions({
    queryKey: ['scores', score, sharingKey ?? ''],
    queryFn: () =>
      call('getScore', { params: { score }, query: sharingKey === undefined ? {} : { sharingKey } }),
  })
