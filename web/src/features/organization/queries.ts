import { queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

export const settingsQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: () => call('getOrganizationSettings'),
})
