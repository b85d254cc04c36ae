import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

export const securityQuery = queryOptions({ queryKey: ['security'], queryFn: () => call('getSecurity') })

/** Returns a function that reads the security settings again and resolves when they are there. */
export function useSecurityRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: securityQuery.queryKey })
}
