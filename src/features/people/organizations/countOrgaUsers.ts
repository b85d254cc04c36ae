import Type from 'typebox'
import { operation } from '../../../operation.ts'
import { memberFilter, memberQuery } from './member-query.ts'
import { countMembersOf } from './members.store.ts'
import { checkAdministrator } from './policy.ts'
import { loadLicense } from './store.ts'

export const countOrgaUsers = operation({
  id: 'countOrgaUsers',
  tag: 'Organization',
  summary: 'Count the members of an organization',
  description: 'Available to administrators of the organization.',
  scopes: ['edu.admin', 'edu.admin.users', 'edu.admin.users.readonly'],
  checkRole: checkAdministrator,
  query: Type.Object(memberQuery),
  responses: { 200: Type.Integer() },
  async handle({ ctx, actor, query }) {
    const { organization } = checkAdministrator(actor)
    const license = await loadLicense(ctx.db.read, organization)
    const filter = memberFilter(query, license, ctx.clock.now())
    return filter ? countMembersOf(ctx.db.read, organization, filter) : 0
  },
})
