import Type from 'typebox'
import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { type Context, Empty, operation } from '../../operation.ts'
import { leaveAssignments } from '../assignments/leaving.ts'
import { leaveCopies } from '../assignments/letting-go.ts'
import { passClassesOn } from '../classes/places.ts'
import { passResourcesOn } from '../edu-resources/passing.ts'
import { closeLibrary } from '../edu-resources/store.ts'
import { deleteMemberships } from '../groups/store.ts'
import { endSharingWithin } from '../scores/grants.ts'
import { closeScores } from '../scores/store.ts'
import { endActing, endSignIns } from '../sessions/ending.ts'
import { deletePasswordResetsOf } from '../sessions/store.ts'
import { deleteProviderAccountsOf } from '../sign-in-providers/store.ts'
import { deleteWorkOf, passAllWorkOn } from '../submissions/removal.ts'
import { type Identity, identityOf } from '../users/accounts.ts'
import { nameWithAddress } from '../users/free-names.ts'
import { type UserRow, updateRemoval, updateUser } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { canManageRole, checkAdministrator, loadMember, type Member } from './policy.ts'
import { checkIsNotLastAdministrator, findHeir } from './roles.ts'
import { findOrganization } from './store.ts'

const day = 24 * 60 * 60 * 1000

export const removeOrganizationUser = operation({
  id: 'removeOrganizationUser',
  tag: 'Organization',
  summary: 'Remove a member of an organization',
  description:
    'By its administrators. The account cannot be used any more at once, and is deleted with its scores after the days ' +
    'for which the organization keeps such accounts; until then the command line can restore it. With ' +
    '`convertToIndividual` the member leaves the organization, its classes and its groups, and keeps account and scores. ' +
    'Who has for a username an address that only the organization has vouched for is called by what stands before the @ ' +
    'then, or by that with a number: `getUser` tells.',
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
      await checkIsNotLastAdministrator(tx, administrator.organization, user)
      await (query.convertToIndividual ? letGo : remove)(ctx, tx, administrator, user)
    })
    ctx.actors.forget()
  },
})

async function remove(ctx: Context, tx: Transaction, { id: actor, organization }: Member, { id: user }: UserRow) {
  const { retention_days = 0 } = (await findOrganization(tx, organization)) ?? {}
  const deletion_at = ctx.clock.now() + retention_days * day
  await updateRemoval(tx, user, { deletion_at, removed_by: actor })
  await passAllWorkOn(ctx, tx, user)
  await endSignIns(tx, user)
  await audit(tx, ctx, { organization, actor, action: 'user.removed', subject: user })
}

/**
 * What was between the member and the organization ends, and nothing is seen outside that was not before. The address was the
 * organization's word; outside of it, it does not count.
 */
async function letGo(ctx: Context, tx: Transaction, { id: actor, organization }: Member, user: UserRow) {
  const heir = () => findHeir(tx, organization, { of: user.id, by: actor })
  await passClassesOn(ctx, tx, { user: user.id, by: actor }, heir)
  await passResourcesOn(tx, { user: user.id, organization }, heir)
  await leaveCopies(ctx, tx, user.id)
  await deleteWorkOf(ctx, tx, user.id)
  await leaveAssignments(tx, user.id)
  await deleteMemberships(tx, user.id)
  await closeScores(tx, user.id)
  await closeLibrary(tx, user.id)
  await endSharingWithin(tx, organization, user.id)
  const left = { organization_id: null, organization_role: null, external_id: null } as const
  const identity = await identityOutside(tx, user)
  await updateUser(tx, user.id, { ...left, ...identity, is_test_student: 0, email_vouched: 0 })
  await deletePasswordResetsOf(tx, user.id)
  await deleteProviderAccountsOf(tx, user.id)
  await endActing(tx, user.id)
  const details = identity.username === user.username ? {} : { fields: ['username'] }
  await audit(tx, ctx, { organization, actor, action: 'user.converted-to-individual', subject: user.id, details })
}

/**
 * As what somebody leaves: everybody sees an individual account, so the names of pupils, which a school has given, do not go
 * out with them. Nor does an address that only the school has vouched for: whoever set it could have a password mailed there.
 * Who has it for a username is given another one.
 */
async function identityOutside(tx: Transaction, user: UserRow): Promise<Identity> {
  const { organization_role, firstname, lastname } = user
  const names = organization_role === 'user' ? {} : { firstname, lastname }
  const email = user.email_verified ? user.email : null
  return identityOf({ username: await nameWithAddress(tx, user, email), ...names, email })
}
