import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { isOrganizationRole } from '../../../../src/contract/roles.ts'
import type { OrganizationRole } from '../../../../src/contract/users.ts'
import { call, callPage } from '../../app/client.ts'

/** Which members the list shows. Undefined fields do not filter. */
export interface MemberFilter {
  /** Words in the names, the username or the e-mail address. */
  readonly q?: string
  readonly role?: OrganizationRole
  /** Whether test students are left out, or alone. */
  readonly testAccounts?: 'exclude' | 'only'
}

/** Reads the fields `q`, `role` and `testAccounts` of a form or of an address. */
export function memberFilterOf(form: FormData | URLSearchParams): MemberFilter {
  const [q = '', role = '', accounts = ''] = ['q', 'role', 'testAccounts'].map((name) =>
    String(form.get(name) ?? '').trim(),
  )
  return {
    ...(q && { q }),
    ...(isOrganizationRole(role) && { role }),
    ...((accounts === 'exclude' || accounts === 'only') && { testAccounts: accounts }),
  }
}

/** The filter that the user has chosen last. It survives the way to the page of a member and back. */
export const chosenFilterKey = ['chosen-member-filter']

const queryOf = ({ role, ...others }: MemberFilter) => ({ ...others, ...(role && { role: [role] }) })

export const membersQuery = (filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: ['members', 'list', filter],
    queryFn: ({ pageParam: next }) =>
      callPage('listOrganizationUsers', {
        query: { ...queryOf(filter), sort: 'name', limit: 50, ...(next !== null && { next }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Reading all loaded pages again at each focus would be slow.
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })

export const memberCountQuery = (filter: MemberFilter) =>
  queryOptions({
    queryKey: ['members', 'count', filter],
    queryFn: () => call('countOrgaUsers', { query: queryOf(filter) }),
    placeholderData: keepPreviousData,
  })

export const invitationsQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  queryFn: ({ pageParam: next }) =>
    callPage('listOrganizationInvitations', { query: next === null ? {} : { next } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', id],
    queryFn: () => call('getMember', { params: { user: id } }),
  })

export const memberSignInsQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', id, 'sign-ins'],
    queryFn: () => call('listMemberSignIns', { params: { user: id } }),
  })
