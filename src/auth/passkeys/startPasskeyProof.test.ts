import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { usingDatabases } from '../../../test/support/databases.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import { newSignedInUser, signedIn } from '../../../test/support/sessions.ts'
import { minute } from '../../lib/durations.ts'

describe('startPasskeyProof', () => {
  const clock = testClock()
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' }, { clock })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('returns the passkeys of the account, and its signature is good for one change in this session', async () => {
    const { person, browser } = await createUser()
    const otherSession = internalClient(await signedIn(app, person))
    const passkey = await withPasskey(app, person)
    const account = internalClient(browser)
    const { status, body } = await account.post('/security/passkeys/proof')
    expect([status, body.rpId, body.allowCredentials]).toEqual([
      200,
      'localhost',
      [{ id: passkey.id, type: 'public-key', transports: ['internal'] }],
    ])
    const proof = { passkey: passkey.sign(body) }
    expect((await otherSession.post('/security/recovery-codes', proof)).body.code).toBe('WRONG_PASSKEY')
    expect((await account.post('/security/recovery-codes', proof)).body.recoveryCodes).toHaveLength(10)
    expect((await account.post('/security/recovery-codes', proof)).body.code).toBe('WRONG_PASSKEY')
  })

  it('does not accept a signature after five minutes, or one of another account', async () => {
    const [one, other] = [await createUser(), await createUser()]
    const [own, foreign] = [await withPasskey(app, one.person), await withPasskey(app, other.person)]
    const account = internalClient(one.browser)
    const challenge = async () => (await account.post('/security/passkeys/proof')).body
    const send = async (proof: object) =>
      (await account.post('/security/recovery-codes', { passkey: proof })).status
    expect(await send(foreign.sign(await challenge()))).toBe(403)
    expect(await send(foreign.sign(await challenge(), { userHandle: undefined }))).toBe(403)
    const late = own.sign(await challenge())
    clock.forward(5 * minute)
    expect(await send(late)).toBe(403)
    expect(await send(own.sign(await challenge()))).toBe(200)
  })

  it('refuses the 11th wrong passkey in a quarter of an hour, and records no wrong one as a copy', async () => {
    const { person, browser } = await createUser()
    const passkey = await withPasskey(app, person)
    const account = internalClient(browser)
    const send = async (faults = {}) => {
      const { body } = await account.post('/security/passkeys/proof')
      return (await account.post('/security/recovery-codes', { passkey: passkey.sign(body, faults) })).status
    }
    for (let n = 0; n < 10; n++) expect(await send({ origin: 'https://evil.example' })).toBe(403)
    expect(await send()).toBe(429)
    clock.forward(15 * minute)
    expect(await send()).toBe(200)
    expect((await actsOn(app, person.id)).map(({ action }) => action)).toEqual(['user.recovery-codes-made'])
  })
})
