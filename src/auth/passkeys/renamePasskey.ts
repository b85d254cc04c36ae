import { IdParams } from '../../contract/account.ts'
import { PasskeyChange } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { passkeyNameOf } from './passkey.ts'
import { updatePasskeyName } from './passkeys.store.ts'

export const renamePasskey = operation({
  id: 'renamePasskey',
  accepts: 'session',
  tag: 'Account',
  summary: 'Rename a passkey',
  params: IdParams,
  body: PasskeyChange,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id }, body }) {
    const name = passkeyNameOf(body)
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      if (!(await updatePasskeyName(tx, { id, user: actor.id, name }))) fail('PASSKEY_NOT_FOUND')
    })
  },
})
