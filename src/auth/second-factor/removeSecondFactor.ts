import { Proof } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { Empty, operation } from '../../operation.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { withSecondFactor } from '../security/proof.ts'
import { sendNotice } from '../sessions/notices.ts'
import { deleteAuthenticatorApp, hasAuthenticatorApp } from './second-factors.store.ts'

export const removeSecondFactor = operation({
  id: 'removeSecondFactor',
  accepts: 'session',
  tag: 'Account',
  summary: 'Remove the second factor',
  body: Proof,
  responses: { 204: Empty },
  async handle({ ctx, actor, body, request }) {
    const { id } = actor
    await withSecondFactor(ctx, actor, body, async (tx) => {
      if (!(await hasAuthenticatorApp(tx, id))) fail('SECOND_FACTOR_OFF')
      await deleteAuthenticatorApp(tx, id)
      deleteCachedActors(ctx, tx, [id])
      await auditOwn(tx, ctx, id, { action: 'user.second-factor-removed' })
      await sendNotice(ctx, tx, { user: id, notice: 'secondFactorRemoved', language: request.textLanguage() })
      return true
    })
  },
})
