import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { convertToIndividual, removeMember } from '../departures/members.ts'
import { canManageRole, checkAdministrator, loadMember } from './policy.ts'
import { checkIsNotLastAdministrator } from './roles.ts'
import { findOrganization } from './store.ts'
import { day } from '../../../lib/durations.ts'

export const removeOrganizationUser = operation({
  id: 'removeOrganizationUser',
  tag: 'Organization',
  summary: 'Remove a member of an organization',
  description:
    'Available to administrators of the organization. The account stops working immediately. It is ' +
    'deleted with its scores after the retention period of the organization. Until then the command ' +
    'line can restore it. With `convertToIndividual`, the member leaves the organization, its ' +
    'classes and its groups, and keeps the account and the scores. If the username is an address ' +
    'that only the organization has vouched for, the new username is the part before the @, with a ' +
    'number if that name is taken. `getUser` returns the new username.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  params: Type.Object({ user: Type.String() }),
  query: Type.Object({ convertToIndividual: Type.Optional(Type.Boolean()) }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params, query }) {
    const administrator = checkAdministrator(actor)
    await ctx.transaction(async (tx) => {
      const user = await loadMember(tx, administrator, params.user)
      if (!canManageRole(administrator, user.organization_role)) fail('ROLE_OUT_OF_REACH')
      const { organization, id: by } = administrator
      await checkIsNotLastAdministrator(tx, organization, user)
      if (query.convertToIndividual) {
        await convertToIndividual(ctx, tx, { organization, by }, user)
      } else {
        const { retention_days = 0 } = (await findOrganization(tx, organization)) ?? {}
        const deletionAt = ctx.clock.now() + retention_days * day
        await removeMember(ctx, tx, { organization, by }, { user: user.id, deletionAt })
      }
    })
  },
})
