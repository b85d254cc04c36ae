import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OrganizationClass } from '../../../../src/contract/organization-overview.ts'
import { call, callPage } from '../../app/client.ts'

export const settingsQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: () => call('getOrganizationSettings'),
})

/** The states of classes, in the order of a school year. */
export const classStates = [
  'inactive',
  'active',
  'archived',
] as const satisfies readonly OrganizationClass['state'][]

/** Which classes the list shows. */
export interface OrganizationClassFilter {
  /** Words in the name. Empty for all names. */
  readonly q: string
  /** Undefined for all states. */
  readonly state?: OrganizationClass['state']
}

export const organizationClassesQuery = ({ q, state }: OrganizationClassFilter) =>
  infiniteQueryOptions({
    queryKey: ['organization', 'classes', q, state],
    queryFn: ({ pageParam: next }) =>
      callPage('listOrganizationClasses', {
        query: { limit: 50, ...(q && { q }), ...(state && { state }), ...(next !== null && { next }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Reading all loaded pages again at each focus would be slow.
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })
