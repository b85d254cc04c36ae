import Type from 'typebox'
import { UserDetailsAdmin } from '../../../contract/organizations.ts'
import { linkHeader, pagingQuery } from '../../../contract/paging.ts'
import { fail } from '../../../errors.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { composeMembers } from './compose.ts'
import { loadLicense } from './store.ts'
import { memberFilter, memberQuery } from './member-query.ts'
import { listMembersOf, type MemberSort } from './members.store.ts'
import { checkAdministrator } from './policy.ts'
import { presentMemberId } from './present.ts'

const sorts: Readonly<Record<string, MemberSort>> = {
  creationDate: 'creationDate',
  username: 'username',
  name: 'name',
  lastname: 'name',
  lastActivityDate: 'lastActivityDate',
}

export const listOrganizationUsers = operation({
  id: 'listOrganizationUsers',
  tag: 'Organization',
  summary: 'List the members of an organization',
  description:
    'Available to administrators of the organization. All members except test students have the ' +
    'licence of the organization. `licenseExpirationDate` is `active`, `notActive`, or the day on ' +
    'which the licence ends (UTC), and agrees with `license.active` of each member.',
  scopes: ['edu.admin', 'edu.admin.users', 'edu.admin.users.readonly'],
  checkRole: checkAdministrator,
  query: Type.Object({
    ...memberQuery,
    sort: Type.Optional(
      Type.String({
        description: '`creationDate` (the default), `username`, `name` or `lastname`, or `lastActivityDate`.',
      }),
    ),
    direction: pagingQuery.direction,
    next: pagingQuery.next,
    previous: pagingQuery.previous,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 25 })),
    onlyIds: Type.Optional(
      Type.Boolean({ description: 'Returns only the fields that identify each member.' }),
    ),
  }),
  responses: { 200: { body: Type.Array(UserDetailsAdmin), headers: linkHeader } },
  async handle({ ctx, actor, query }) {
    const { organization } = checkAdministrator(actor)
    const sort = sortOf(query.sort)
    const direction = query.direction ?? (sort === 'username' || sort === 'name' ? 'asc' : 'desc')
    const license = await loadLicense(ctx.db.read, organization)
    const filter = memberFilter(query, license, ctx.clock.now())
    if (!filter) return new Answer([])
    const { limit = 25, next, previous } = query
    const request = { sort, direction, limit, next, previous }
    const { rows, cursors } = await listMembersOf(ctx.db.read, organization, filter, request)
    return new Answer(query.onlyIds ? rows.map(presentMemberId) : await composeMembers(ctx, rows), {
      cursors,
    })
  },
})

/** @throws INVALID_PARAMETER */
function sortOf(requested = 'creationDate'): MemberSort {
  const sort = Object.hasOwn(sorts, requested) ? sorts[requested] : undefined
  if (sort) return sort
  const message = `\`sort\` must be one of ${Object.keys(sorts).join(', ')}.`
  fail('INVALID_PARAMETER', { param: 'sort', message })
}
