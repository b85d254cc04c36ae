import { NewSecondFactor, RecoveryCodes, SecondFactorCode, SecondFactorSecret } from '../contract/account-security.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/audit/audit.ts'
import {
  confirmSecondFactor,
  deleteSecondFactor,
  hasSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../features/sessions/second-factors.ts'
import { checkIsSignedIn } from '../http/session.ts'
import { newTotpSecret, totpSecretText, totpUri } from '../lib/totp.ts'
import { tellOf } from './notices.ts'
import { provePassword, withCode, withSecondFactor } from './proof.ts'
import { accountRoute } from './route.ts'

/** A second factor: codes of an authenticator app, and recovery codes that stand in for it. */
export const secondFactorRoutes = [
  /** Makes a secret. It counts when a code of it is given. */
  accountRoute({
    method: 'POST',
    path: '/security/second-factor',
    body: NewSecondFactor,
    status: 201,
    response: SecondFactorSecret,
    async handle(visit) {
      const { ctx, visitor, body } = visit
      const { id, username } = visitor.user
      await provePassword(visit, body.password)
      const secret = newTotpSecret()
      await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        if (await hasSecondFactor(tx, id)) fail('SECOND_FACTOR_ON')
        await insertSecondFactor(tx, id, secret, ctx.clock.now())
      })
      const { host } = new URL(ctx.config.publicUrl)
      return { secret: totpSecretText(secret), uri: totpUri(secret, host, username) }
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/security/second-factor/confirm',
    body: SecondFactorCode,
    response: RecoveryCodes,
    async handle(visit) {
      const { ctx, visitor, body } = visit
      const { id, organization_id: organization } = visitor.user
      const recoveryCodes = await withCode(visit, async (tx) => {
        if (await hasSecondFactor(tx, id)) fail('SECOND_FACTOR_ON')
        if (!(await confirmSecondFactor(tx, id, body.code, ctx.clock.now()))) return undefined
        await audit(tx, ctx, { organization, actor: id, action: 'user.second-factor-added', subject: id })
        await tellOf(visit, tx, 'secondFactorAdded')
        return replaceRecoveryCodes(tx, id)
      })
      return { recoveryCodes }
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/security/second-factor/remove',
    body: SecondFactorCode,
    async handle(visit) {
      const { ctx, visitor, body } = visit
      const { id, organization_id: organization } = visitor.user
      await withSecondFactor(visit, body.code, async (tx) => {
        await deleteSecondFactor(tx, id)
        await audit(tx, ctx, { organization, actor: id, action: 'user.second-factor-removed', subject: id })
        await tellOf(visit, tx, 'secondFactorRemoved')
        return true
      })
    },
  }),

  /** Makes recovery codes anew; those of before hold no more. */
  accountRoute({
    method: 'POST',
    path: '/security/recovery-codes',
    body: SecondFactorCode,
    response: RecoveryCodes,
    async handle(visit) {
      const { ctx, visitor, body } = visit
      const { id, organization_id: organization } = visitor.user
      const recoveryCodes = await withSecondFactor(visit, body.code, async (tx) => {
        await audit(tx, ctx, { organization, actor: id, action: 'user.recovery-codes-made', subject: id })
        return replaceRecoveryCodes(tx, id)
      })
      return { recoveryCodes }
    },
  }),
]
