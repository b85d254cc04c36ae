import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('endMemberSignIns', (app) => {
  it('ends all sessions and tokens of the member at once, and keeps the password', async () => {
    const { id: organization, ada, sam } = await makeSchool(app)
    const browsers = [await signedIn(app, sam), await signedIn(app, sam)]
    await ada.post(`/organizations/users/${sam.id}/accessToken`, { scopes: ['scores'] })
    const administration = internalClient(await signedIn(app, ada))
    const { status } = await administration.post(`/members/${sam.id}/sign-ins/end`)
    expect(status).toBe(204)
    for (const browser of browsers) expect(await browser.signedInAs()).toBe(undefined)
    expect((await sam.get('/me')).status).toBe(401)
    expect((await administration.get(`/members/${sam.id}/sign-ins`)).body).toEqual({
      sessions: [],
      tokens: [],
    })
    expect((await actsOn(app, sam.id)).at(-1)).toEqual({
      organization,
      actor: ada.id,
      action: 'user.sessions-ended',
      details: { sessions: 2, tokens: 2 },
    })
    expect(await (await signedIn(app, sam)).signedInAs()).toBe(sam.username)
  })

  it('is refused for members above the caller and of other organizations', async () => {
    const { id: organization, ada, abel, otto } = await makeSchool(app, '2')
    const anna = await app.person('anna', { organization, role: 'accountAdmin' })
    const administration = internalClient(await signedIn(app, ada))
    const end = async ({ id }: { id: string }) =>
      (await administration.post(`/members/${id}/sign-ins/end`)).body.code
    expect([await end(anna), await end(abel), await end(otto)]).toEqual([
      'ROLE_OUT_OF_REACH',
      'USER_NOT_FOUND',
      'USER_NOT_FOUND',
    ])
    expect((await anna.get('/me')).status).toBe(200)
  })
})
