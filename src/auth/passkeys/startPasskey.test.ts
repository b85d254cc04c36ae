import { expect, it, describe } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { usingDatabases } from '../../../test/support/databases.ts'
import { addPasskey, withPasskey } from '../../../test/support/passkeys.ts'
import { withSecondFactor } from '../../../test/support/second-factors.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'
import { maxPasskeys } from './passkey.ts'

const start = '/security/passkeys/start'

describe('startPasskey', () => {
  const app = useApp(usingDatabases('sqlite'), { host: 'localhost' })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('returns what a browser needs, without the name of the account in its id', async () => {
    const { person, browser } = await createUser()
    const { status, body } = await internalClient(browser).post(start, { password })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        rp: { id: 'localhost', name: 'Partita' },
        user: {
          id: Buffer.from(person.id).toString('base64url'),
          name: person.username,
          displayName: person.username,
        },
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        excludeCredentials: [],
        attestation: 'none',
      }),
    ])
  })

  it('stores only a hash of the challenge', async () => {
    const { person, browser } = await createUser()
    const { challenge } = (await internalClient(browser).post(start, { password })).body
    const rows = await app.ctx.db.read
      .selectFrom('passkey_challenges')
      .selectAll()
      .where('user_id', '=', person.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(challenge)
  })

  it('asks for the password of an account without a second factor', async () => {
    const { browser } = await createUser()
    const account = internalClient(browser)
    const wrong = await account.post(start, { password: 'guess' })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'WRONG_PASSWORD'])
    for (const proof of [{}, { code: '123456' }]) {
      const { status, body } = await account.post(start, proof)
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'password'])
    }
  })

  it('asks for a code or a passkey of an account with a second factor, so that a password adds none', async () => {
    const { person, browser } = await createUser()
    const { code } = await withSecondFactor(app, person)
    const account = internalClient(browser)
    const refused = await account.post(start, { password })
    expect([refused.status, refused.body.param]).toEqual([400, 'code'])
    expect((await account.post(start, { code: 'guess' })).body.code).toBe('WRONG_CODE')
    const { passkey } = await addPasskey(app, browser, { proof: { code: code() } })
    const { body } = await account.post('/security/passkeys/proof')
    const proof = { passkey: passkey.sign(body) }
    expect((await account.post(start, proof)).body.excludeCredentials).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ])
    const again = await account.post(start, proof)
    expect([again.status, again.body.code, again.body.param]).toEqual([403, 'WRONG_PASSKEY', 'passkey'])
  })

  it('refuses the 21st passkey', async () => {
    const { person, browser } = await createUser()
    let last = await withPasskey(app, person)
    for (let n = 1; n < maxPasskeys; n++) last = await withPasskey(app, person)
    const refused = await internalClient(browser).post(start, { code: last.recoveryCodes[0] })
    expect([refused.status, refused.body.code]).toEqual([403, 'TOO_MANY_PASSKEYS'])
  })
})
