import { queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

/** The apps that the user has registered. */
export const appsQuery = queryOptions({ queryKey: ['apps'], queryFn: () => call('listApps') })
