import { Answer } from '../../answer.ts'
import { AddedPasskey, NewPasskey } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { operation } from '../../operation.ts'
import { hasSecondFactor, replaceRecoveryCodes } from '../second-factor/second-factors.store.ts'
import { sendNotice } from '../sessions/notices.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { consumeChallenge } from './challenges.store.ts'
import { maxPasskeys, passkeyNameOf, presentPasskey } from './passkey.ts'
import { insertPasskey, isCredentialKnown, listPasskeys } from './passkeys.store.ts'
import { loadRelyingParty } from './relying-party.ts'
import { challengeOf, verifyRegistration } from './verification.ts'

export const addPasskey = operation({
  id: 'addPasskey',
  accepts: 'session',
  beforeSecondFactor: true,
  tag: 'Account',
  summary: 'Add a passkey that the browser has created',
  description:
    'From now on the password alone does not sign in. The answer is the only one that contains the recovery codes.',
  body: NewPasskey,
  returnsSecret: true,
  responses: { 201: AddedPasskey },
  async handle({ ctx, actor, body, request }) {
    const { id: user, access } = actor
    const name = passkeyNameOf(body)
    const verified = await verifyRegistration(loadRelyingParty(ctx.config), body.credential)
    const challenge = challengeOf(body.credential)
    // An error thrown inside the transaction would keep the challenge.
    const added = await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, access.hash)
      const use = { purpose: 'add', holder: access.hash } as const
      const isExpected = challenge !== undefined && (await consumeChallenge(ctx, tx, challenge, use))
      if (!isExpected || !verified || (await isCredentialKnown(tx, verified.credential_id))) return undefined
      if ((await listPasskeys(tx, user)).length >= maxPasskeys) fail('TOO_MANY_PASSKEYS')
      const isFirstFactor = !(await hasSecondFactor(tx, user))
      const times = { created_at: ctx.clock.now(), last_used_at: null }
      const row = { id: ctx.newId(), user_id: user, name, ...verified, ...times }
      await insertPasskey(tx, row)
      // What the session opens may change.
      deleteCachedActors(ctx, tx, [user])
      await auditOwn(tx, ctx, user, { action: 'user.passkey-added', details: { passkey: row.id } })
      await sendNotice(ctx, tx, { user, notice: 'passkeyAdded', language: request.textLanguage() })
      return { row, recoveryCodes: isFirstFactor ? await replaceRecoveryCodes(tx, user) : null }
    })
    if (!added) fail('WRONG_PASSKEY', { param: 'credential' })
    const { row, recoveryCodes } = added
    return new Answer({ passkey: presentPasskey(row), recoveryCodes }, { status: 201 })
  },
})
