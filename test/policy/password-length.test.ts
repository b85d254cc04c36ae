import { beforeAll, expect, it } from 'vitest'
import { insertPasswordReset } from '../../src/auth/sessions/store.ts'
import { hour } from '../../src/lib/durations.ts'
import { hashToken, newToken } from '../../src/lib/tokens.ts'
import { useApp } from '../support/app.ts'
import { browserAt } from '../support/browser.ts'
import { internalClient } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { limit } from '../support/organizations.ts'
import { makeSchool, type School } from '../support/school.ts'
import { password, signedIn } from '../support/sessions.ts'

const tooShort = 'nineteen characters'
const longEnough = 'twenty characters ok'

describeEachDatabase('the minimum length of passwords that an organization sets', (databases) => {
  const app = useApp(databases)
  let school: School

  beforeAll(async () => {
    school = await makeSchool(app)
    await limit(app, school.id, { min_password_length: 20, allows_sign_up_by_code: 1 })
  })

  it('applies to new members and to passwords that administrators set, in this organization only', async () => {
    const { ada: admin, sam: student, abel: otherAdmin } = school
    const create = (by: typeof admin, username: string, password: string) =>
      by.post('/organizations/users', { username, password })
    const refused = await create(admin, 'nell', tooShort)
    expect([refused.status, refused.body.param]).toEqual([400, 'password'])
    expect(refused.body.message).toContain('20 to 1000 characters')
    expect((await create(admin, 'nell', longEnough)).status).toBe(200)
    expect((await create(otherAdmin, 'nils', tooShort)).status).toBe(200)
    const reset = (password: string) => admin.put(`/organizations/users/${student.id}`, { password })
    expect((await reset(tooShort)).body.param).toBe('password')
    expect((await reset(longEnough)).status).toBe(200)
  })

  it('applies to passwords that members choose on the security page', async () => {
    const security = internalClient(await signedIn(app, school.tess))
    expect((await security.get('/security')).body.minPasswordLength).toBe(20)
    const change = (chosen: string) =>
      security.put('/security/password', { currentPassword: password, password: chosen })
    expect((await change(tooShort)).body.param).toBe('password')
    expect((await change(longEnough)).status).toBe(200)
  })

  it('applies to accounts by invitation, mailed links, and the replacement of a password that others set', async () => {
    const { ada: admin, theo: teacher, sol: student } = school
    const { customCode } = (await admin.post('/organizations/invitations', {})).body
    const token = newToken('passwordReset')
    await app.ctx.transaction((tx) =>
      insertPasswordReset(tx, {
        hash: hashToken(token),
        user_id: teacher.id,
        expires_at: app.ctx.clock.now() + hour,
      }),
    )
    const given = 'a password that others know'
    await admin.put(`/organizations/users/${student.id}`, { password: given })
    const studentBrowser = browserAt(app.url)
    const signIn = { username: student.username, password: given }
    await studentBrowser.submit(await studentBrowser.open('/auth/signin'), '/auth/signin', signIn)
    for (const [path, browser, fields] of [
      [`/invitations/${customCode}`, browserAt(app.url), { username: 'nora' }],
      [`/auth/password/${token}`, browserAt(app.url), {}],
      ['/auth/own-password', studentBrowser, { currentPassword: given }],
    ] as const) {
      const page = await browser.open(path)
      expect([path, page.text.includes('At least 20 characters')]).toEqual([path, true])
      const refused = await browser.submit(page, path, { ...fields, password: tooShort })
      expect([path, refused.status, refused.text.includes('20 to 1000 characters')]).toEqual([
        path,
        400,
        true,
      ])
      await browser.submit(page, path, { ...fields, password: longEnough })
      expect([path, await browser.signedInAs()]).toEqual([path, expect.any(String)])
    }
  })
})
