import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { addProvider } from '../../../../test/support/openid-provider.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { withSecondFactor } from '../../../../test/support/second-factors.ts'
import { password, signedIn } from '../../../../test/support/sessions.ts'
import { insertProviderAccount } from '../../../auth/providers/store.ts'
import { minute } from '../../../lib/durations.ts'

describeEachDatabase('changeRules', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  async function administration(admin: Person) {
    const client = internalClient(await signedIn(app, admin))
    return {
      client,
      change: (rules: object, proof: object = { password }) =>
        client.put('/organization/rules', { rules, ...proof }),
      rules: async () => (await client.get('/organization')).body.rules,
    }
  }

  const linkTo = (provider: string, { id: user_id }: Person) =>
    app.ctx.transaction((tx) =>
      insertProviderAccount(tx, { provider, subject: user_id, user_id, created_at: clock.now() }),
    )

  it('changes the given rules with the password, and records them', async () => {
    const { id: organization, ada: admin } = await makeSchool(app)
    const { change, rules } = await administration(admin)
    const before = await rules()
    const changed = { maxSessionHours: 12, maxTokenDays: 90, teachersResetPasswords: false }
    for (const proof of [{ password: 'wrong' }, {}])
      expect((await change(changed, proof)).body.code).toBe('WRONG_PASSWORD')
    expect(await rules()).toEqual(before)
    expect((await change(changed)).status).toBe(204)
    expect(await rules()).toEqual({ ...before, ...changed })
    expect((await change({ maxSessionHours: null })).status).toBe(204)
    expect(await rules()).toEqual({ ...before, ...changed, maxSessionHours: null })
    expect((await actsOn(app, organization)).map(({ actor, details }) => [actor, details])).toEqual([
      [admin.id, changed],
      [admin.id, { maxSessionHours: null }],
    ])
  })

  it('refuses values out of range, rules of the operator, unknown rules and an empty change', async () => {
    const { ada: admin } = await makeSchool(app, '2')
    const { change, rules } = await administration(admin)
    const before = await rules()
    const outOfRange = [{ maxSessionHours: 0 }, { maxTokenDays: 1.5 }, { requireSecondFactor: null }]
    for (const wrong of [...outOfRange, { allowPublicScores: true }, { id: 'x' }, {}])
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400])
    expect(await rules()).toEqual(before)
  })

  it('refuses a second factor that the caller does not have', async () => {
    const { ada: admin, tess: teacher } = await makeSchool(app, '3')
    const { change, client } = await administration(admin)
    const ofTeacher = internalClient(await signedIn(app, teacher))
    const refused = await change({ requireSecondFactor: true })
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([
      409,
      'RULE_LOCKS_YOU_OUT',
      'rules.requireSecondFactor',
    ])
    expect((await ofTeacher.get('/tokens')).status).toBe(200)
    await withSecondFactor(app, admin)
    expect((await change({ requireSecondFactor: true })).status).toBe(204)
    expect((await client.get('/organization')).status).toBe(200)
    clock.forward(minute)
    expect((await ofTeacher.get('/tokens')).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('refuses a provider that the organization does not have or the caller does not use, and ends all sessions', async () => {
    const { id: organization, ada: admin, sam: student } = await makeSchool(app, '4')
    const { change } = await administration(admin)
    const browser = await signedIn(app, student)
    const missing = await change({ requireProvider: true })
    expect([missing.body.code, missing.body.param]).toEqual(['PROVIDER_MISSING', 'rules.requireProvider'])
    const name = `p-${organization}`
    await addProvider(app, { name, organization, issuer: 'https://id.example' })
    expect((await change({ requireProvider: true })).body.code).toBe('RULE_LOCKS_YOU_OUT')
    await linkTo(name, admin)
    expect(await browser.signedInAs()).toBe(student.username)
    expect((await change({ requireProvider: true })).status).toBe(204)
    expect(await browser.signedInAs()).toBe(undefined)
  })

  it('refuses passkeys where browsers allow none', async () => {
    const { ada: admin } = await makeSchool(app, '6')
    const { change } = await administration(admin)
    expect((await change({ requirePasskey: true })).body.code).toBe('PASSKEYS_UNAVAILABLE')
  })

  it('takes a sign-in of the last 15 minutes as the proof of a caller without a password', async () => {
    const { id: organization, ada: admin } = await makeSchool(app, '5')
    const { change, client } = await administration(admin)
    const proof = async () => (await client.get('/organization')).body.proof
    expect(await proof()).toBe('password')
    await limit(app, organization, { requires_provider: 1 })
    expect(await proof()).toBe('recent sign-in')
    const name = `p-${organization}`
    await addProvider(app, { name, organization, issuer: 'https://id.example' })
    await linkTo(name, admin)
    expect((await change({ teachersResetPasswords: false }, {})).status).toBe(204)
    clock.forward(15 * minute + 1)
    expect((await change({ teachersResetPasswords: true }, {})).body.code).toBe('RECENT_SIGN_IN_REQUIRED')
  })
})
