import { PasskeyCreation, Proof } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { operation } from '../../operation.ts'
import { withProof } from '../security/proof.ts'
import { creationOptions } from './ceremonies.ts'
import { createChallenge } from './challenges.store.ts'
import { maxPasskeys } from './passkey.ts'
import { listPasskeys } from './passkeys.store.ts'
import { loadRelyingParty } from './relying-party.ts'

export const startPasskey = operation({
  id: 'startPasskey',
  accepts: 'session',
  beforeSecondFactor: true,
  tag: 'Account',
  summary: 'Start to add a passkey',
  description:
    'The browser creates the passkey with the answer. `addPasskey` then adds it, within five minutes.',
  body: Proof,
  returnsSecret: true,
  responses: { 200: PasskeyCreation },
  async handle({ ctx, actor, body }) {
    loadRelyingParty(ctx.config)
    const user = await loadOwnAccount(ctx.db.read, actor)
    const { challenge, passkeys } = await withProof(ctx, actor, body, async (tx) => {
      const passkeys = await listPasskeys(tx, user.id)
      if (passkeys.length >= maxPasskeys) fail('TOO_MANY_PASSKEYS')
      const use = { purpose: 'add', holder: actor.access.hash, user: user.id } as const
      return { challenge: await createChallenge(ctx, tx, use), passkeys }
    })
    return creationOptions(ctx, challenge, user, passkeys)
  },
})
