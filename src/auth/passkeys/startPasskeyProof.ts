import { PasskeyRequest } from '../../contract/account-security.ts'
import { operation } from '../../operation.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { requestOptions } from './ceremonies.ts'
import { createChallenge } from './challenges.store.ts'
import { listPasskeys } from './passkeys.store.ts'
import { loadRelyingParty } from './relying-party.ts'

export const startPasskeyProof = operation({
  id: 'startPasskeyProof',
  accepts: 'session',
  tag: 'Account',
  summary: 'Start to prove the ownership of the account by a passkey',
  description:
    'The browser signs the challenge in the answer. The signature is the `passkey` of one later request.',
  returnsSecret: true,
  responses: { 200: PasskeyRequest },
  async handle({ ctx, actor: { id: user, access } }) {
    loadRelyingParty(ctx.config)
    const { challenge, passkeys } = await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, access.hash)
      const use = { purpose: 'proof', holder: access.hash, user } as const
      return { challenge: await createChallenge(ctx, tx, use), passkeys: await listPasskeys(tx, user) }
    })
    return requestOptions(ctx, challenge, passkeys)
  },
})
