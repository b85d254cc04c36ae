import { RecoveryCodes, SecondFactorCode } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { operation } from '../../operation.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { withCode } from '../security/proof.ts'
import { sendNotice } from '../sessions/notices.ts'
import { confirmSecret, hasAuthenticatorApp, replaceRecoveryCodes } from './second-factors.store.ts'

export const confirmSecondFactor = operation({
  id: 'confirmSecondFactor',
  accepts: 'session',
  beforeSecondFactor: true,
  tag: 'Account',
  summary: 'Turn the second factor on with its first code',
  description: 'The answer is the only one that contains the recovery codes.',
  body: SecondFactorCode,
  returnsSecret: true,
  responses: { 200: RecoveryCodes },
  async handle({ ctx, actor, body, request }) {
    const { id } = actor
    const recoveryCodes = await withCode(ctx, actor, async (tx) => {
      if (await hasAuthenticatorApp(tx, id)) fail('SECOND_FACTOR_ON')
      if (!(await confirmSecret(ctx, tx, id, body.code, ctx.systemClock.now()))) return undefined
      // What the session opens changes.
      deleteCachedActors(ctx, tx, [id])
      await auditOwn(tx, ctx, id, { action: 'user.second-factor-added' })
      await sendNotice(ctx, tx, { user: id, notice: 'secondFactorAdded', language: request.textLanguage() })
      return replaceRecoveryCodes(tx, id)
    })
    return { recoveryCodes }
  },
})
