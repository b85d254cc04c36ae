import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** The chosen parameters of the query: user, action, since and until. */
export type AuditFilter = Readonly<Record<string, string>>

export const auditLogQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', filter],
    queryFn: ({ pageParam }) =>
      call('listAuditLog', { query: { ...filter, ...(pageParam !== null && { cursor: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // The page shows what the form has just fetched. Reading all loaded pages again at each focus would be slow.
    staleTime: 5000,
    refetchOnWindowFocus: false,
  })
