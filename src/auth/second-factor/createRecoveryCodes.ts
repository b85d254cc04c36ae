import { Proof, RecoveryCodes } from '../../contract/account-security.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { operation } from '../../operation.ts'
import { withSecondFactor } from '../security/proof.ts'
import { replaceRecoveryCodes } from './second-factors.store.ts'

export const createRecoveryCodes = operation({
  id: 'createRecoveryCodes',
  accepts: 'session',
  tag: 'Account',
  summary: 'Replace the recovery codes',
  description:
    'The answer is the only one that contains the recovery codes. The previous ones no longer count.',
  body: Proof,
  returnsSecret: true,
  responses: { 200: RecoveryCodes },
  async handle({ ctx, actor, body }) {
    const { id } = actor
    const recoveryCodes = await withSecondFactor(ctx, actor, body, async (tx) => {
      await auditOwn(tx, ctx, id, { action: 'user.recovery-codes-made' })
      return replaceRecoveryCodes(tx, id)
    })
    return { recoveryCodes }
  },
})
