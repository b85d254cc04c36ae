import { IdParams } from '../../contract/account.ts'
import { Proof } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { Empty, operation } from '../../operation.ts'
import { finishFactorRemoval } from '../second-factor/second-factors.store.ts'
import { withProof } from '../security/proof.ts'
import { sendNotice } from '../sessions/notices.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { deletePasskey, listPasskeys } from './passkeys.store.ts'

export const removePasskey = operation({
  id: 'removePasskey',
  accepts: 'session',
  tag: 'Account',
  summary: 'Remove a passkey',
  description: 'The recovery codes of the account end with its last second factor.',
  params: IdParams,
  body: Proof,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id }, body, request }) {
    const { id: user } = actor
    const own = await listPasskeys(ctx.db.read, user)
    if (own.every((passkey) => passkey.id !== id)) fail('PASSKEY_NOT_FOUND')
    await withProof(ctx, actor, body, async (tx) => {
      if (!(await deletePasskey(tx, { id, user }))) fail('PASSKEY_NOT_FOUND')
      await finishFactorRemoval(tx, user)
      deleteCachedActors(ctx, tx, [user])
      await auditOwn(tx, ctx, user, { action: 'user.passkey-removed', details: { passkey: id } })
      await sendNotice(ctx, tx, { user, notice: 'passkeyRemoved', language: request.textLanguage() })
      return true
    })
  },
})
