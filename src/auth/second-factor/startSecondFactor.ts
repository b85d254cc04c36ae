import { Answer } from '../../answer.ts'
import { Proof, SecondFactorSecret } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { operation } from '../../operation.ts'
import { withProof } from '../security/proof.ts'
import { hasAuthenticatorApp, insertSecondFactor } from './second-factors.store.ts'
import { newTotpSecret, totpSecretText, totpUri } from './totp.ts'

export const startSecondFactor = operation({
  id: 'startSecondFactor',
  accepts: 'session',
  beforeSecondFactor: true,
  tag: 'Account',
  summary: 'Start to set up a second factor',
  description:
    'Creates a secret for an authenticator app. The second factor is required only after `confirmSecondFactor`.',
  body: Proof,
  returnsSecret: true,
  responses: { 201: SecondFactorSecret },
  async handle({ ctx, actor, body }) {
    const { id, username } = await loadOwnAccount(ctx.db.read, actor)
    const secret = newTotpSecret()
    if (await hasAuthenticatorApp(ctx.db.read, id)) fail('SECOND_FACTOR_ON')
    await withProof(ctx, actor, body, async (tx) => {
      if (await hasAuthenticatorApp(tx, id)) fail('SECOND_FACTOR_ON')
      await insertSecondFactor(ctx, tx, id, secret, ctx.systemClock.now())
      return true
    })
    const { host } = new URL(ctx.config.publicUrl)
    return new Answer(
      { secret: totpSecretText(secret), uri: totpUri(secret, host, username) },
      { status: 201 },
    )
  },
})
