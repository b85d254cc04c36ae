import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actionsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { addPasskey, type Faults, softPasskey } from '../../../test/support/passkeys.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'
import { minute } from '../../lib/durations.ts'

const mailServer = useMailServer()

describeEachDatabase('addPasskey', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ host: 'localhost' }), { clock })
  let count = 0
  const createUser = (about = {}) => newSignedInUser(app, `person${++count}`, about)

  it('adds a passkey and the recovery codes of the first second factor, and tells the owner', async () => {
    const email = `passkeys-${databases.dialect}@example.com`
    const { person, browser } = await createUser({ email })
    const { reply } = await addPasskey(app, browser, { faults: { isSynced: true } })
    const at = new Date(clock.now()).toISOString()
    const added = { id: expect.any(String), name: 'Phone', createdAt: at, lastUsedAt: null, isSynced: true }
    expect([reply.status, reply.body]).toEqual([
      201,
      { passkey: added, recoveryCodes: expect.arrayContaining([expect.any(String)]) },
    ])
    const security = (await internalClient(browser).get('/security')).body
    expect(security.passkeys).toEqual({ canBeAdded: true, list: [reply.body.passkey] })
    expect(security.secondFactor).toEqual({ isOn: false, recoveryCodesLeft: 10 })
    // From now on the password alone does not sign in.
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(false)
    expect(await actionsOn(app, person)).toEqual(['user.passkey-added'])
    await app.jobsDone()
    expect(readable(mailServer.mails.find((mail) => mail.includes(email)))).toContain('A passkey was added')
  })

  it('keeps the recovery codes of an account that has an authenticator app', async () => {
    const { person, browser } = await createUser()
    const { code } = await withSecondFactor(app, person)
    const { reply } = await addPasskey(app, browser, { proof: { code: code() } })
    expect([reply.status, reply.body.recoveryCodes]).toEqual([201, null])
    expect((await internalClient(browser).get('/security')).body.secondFactor.recoveryCodesLeft).toBe(10)
  })

  describe('refuses a registration', () => {
    it.each<[string, Faults]>([
      ['of another origin', { origin: 'https://partita.example' }],
      ['of another relying party', { rpId: 'partita.example' }],
      ['with a challenge that was not issued', { challenge: 'AAAA' }],
      ['that is a sign-in', { type: 'webauthn.get' }],
      ['without the presence of the user', { userPresent: false }],
      ['with certificates, which name addresses of revocation lists', { x5c: [new Uint8Array(40)] }],
    ])('%s', async (_fault, faults) => {
      const { browser } = await createUser()
      const { reply } = await addPasskey(app, browser, { faults })
      expect([reply.status, reply.body.code, reply.body.param]).toEqual([403, 'WRONG_PASSKEY', 'credential'])
      expect((await internalClient(browser).get('/security')).body.passkeys.list).toEqual([])
    })

    it('that is sent twice, even if the first was not accepted', async () => {
      const { browser } = await createUser()
      const account = internalClient(browser)
      const { body } = await account.post('/security/passkeys/start', { password })
      const passkey = softPasskey(app)
      const send = (faults: Faults) =>
        account.post('/security/passkeys', { name: 'Key', credential: passkey.register(body, faults) })
      expect((await send({ userPresent: false })).status).toBe(403)
      expect((await send({})).status).toBe(403)
    })

    it('after five minutes', async () => {
      const { browser } = await createUser()
      const account = internalClient(browser)
      const { body } = await account.post('/security/passkeys/start', { password })
      const credential = softPasskey(app).register(body)
      clock.forward(5 * minute)
      expect((await account.post('/security/passkeys', { name: 'Key', credential })).status).toBe(403)
    })

    it('in another session than the one that started it', async () => {
      const [one, other] = [await createUser(), await createUser()]
      const { body } = await internalClient(one.browser).post('/security/passkeys/start', { password })
      const request = { name: 'Key', credential: softPasskey(app).register(body) }
      expect((await internalClient(other.browser).post('/security/passkeys', request)).status).toBe(403)
      expect((await internalClient(one.browser).post('/security/passkeys', request)).status).toBe(201)
    })

    it('of a passkey that an account has already', async () => {
      const [one, other] = [await createUser(), await createUser()]
      const { passkey } = await addPasskey(app, one.browser)
      const account = internalClient(other.browser)
      const { body } = await account.post('/security/passkeys/start', { password })
      const credential = passkey.register(body)
      expect((await account.post('/security/passkeys', { name: 'Key', credential })).status).toBe(403)
    })

    it('that is malformed', async () => {
      const { browser } = await createUser()
      const account = internalClient(browser)
      const { body } = await account.post('/security/passkeys/start', { password })
      const valid = softPasskey(app).register(body)
      const send = (response: object) =>
        account.post('/security/passkeys', { name: 'Key', credential: { ...valid, response } })
      // 60,000 open lists of CBOR do not overflow the stack of the server.
      const nested = Buffer.alloc(14_000, 0x81).toString('base64url')
      expect((await send({ ...valid.response, attestationObject: nested })).status).toBe(403)
      expect((await send({ ...valid.response, attestationObject: '' })).status).toBe(403)
      expect((await send({ ...valid.response, clientDataJSON: 'e30' })).status).toBe(403)
      const refused = await send({ ...valid.response, clientDataJSON: 'not base64!' })
      expect([refused.status, refused.body.param]).toEqual([400, 'credential.response.clientDataJSON'])
    })
  })
})
