import Type from 'typebox'
import { minPasswordLength } from '../../../auth/passwords/password-policy.ts'
import { hasSecondFactor } from '../../../auth/second-factor/second-factors.store.ts'
import { Member } from '../../../contract/account.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { operation } from '../../../operation.ts'
import { listPlacementsOf } from '../../teaching/classes/store.ts'
import { findLastSignIn } from '../audit/store.ts'
import { storageOfAccount } from '../storage/quota.ts'
import { hasNoPassword, passwordHolderOf } from '../users/accounts.ts'
import { presentUser } from '../users/present.ts'
import { findCredentials } from '../users/store.ts'
import { canActAs, canManageRole, checkAdministrator, loadMember } from './policy.ts'
import { requiresProvider } from './store.ts'

export const getMember = operation({
  id: 'getMember',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Get a member, with sign-in, classes, storage, and what the caller may change',
  params: Type.Object({ user: Type.String() }),
  responses: { 200: Member },
  async handle({ ctx, actor, params }) {
    const administrator = checkAdministrator(actor)
    const queries = ctx.db.read
    const user = await loadMember(queries, administrator, params.user)
    const { id, username, email, organization_role: role } = user
    const [lastSignIn, credentials, isFactorOn, storage, classes, usesProvider] = await Promise.all([
      findLastSignIn(queries, id),
      findCredentials(queries, { id }),
      hasSecondFactor(queries, id),
      storageOfAccount(ctx, queries, user),
      listPlacementsOf(queries, id),
      requiresProvider(queries, id),
    ])
    const isManageable = canManageRole(administrator, role)
    const isOther = id !== actor.id
    const canReset = isManageable && isOther && !usesProvider
    return {
      id,
      username,
      name: presentUser(user, ctx.config.publicUrl).name ?? null,
      email,
      role,
      isTestStudent: user.is_test_student === 1,
      createdAt: dateTime(user.created_at),
      lastSignInAt: lastSignIn === undefined ? null : dateTime(lastSignIn),
      hasPassword: credentials !== undefined && !hasNoPassword(credentials),
      hasSecondFactor: isFactorOn,
      storage,
      classes: classes.map(({ id, name, type, placement }) => ({
        id,
        name,
        role: type === 'classTeachers' ? ('teacher' as const) : ('student' as const),
        placedBy: placement,
      })),
      minPasswordLength: minPasswordLength(ctx.config, passwordHolderOf(user)),
      can: {
        manage: isManageable,
        setPassword: canReset,
        sendPasswordReset: canReset && ctx.mailer !== undefined && email !== null,
        createSignInLink: canActAs(administrator, role),
      },
    }
  },
})
