import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { clientOf, internalClient } from '../../../../test/support/client.ts'
import { newClient, tokensFor } from '../../../../test/support/oauth.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('endMemberSignIn', (app) => {
  it('ends one session, token or app of a member at once, and no other', async () => {
    const { ada: admin, sam: member, sol: other } = await makeSchool(app)
    const browsers = [await signedIn(app, member), await signedIn(app, member)] as const
    const client = await newClient(app, { name: 'Ear training' })
    const { access_token } = await tokensFor(app, member, client, {
      access_type: 'offline',
      scope: 'account.public_profile',
    })
    const asApp = clientOf(app.url, access_token)
    const members = internalClient(await signedIn(app, admin))
    const signIns = async () => (await members.get(`/members/${member.id}/sign-ins`)).body
    const end = async (id: string, of = member) => members.delete(`/members/${of.id}/sign-ins/${id}`)

    const { sessions, tokens } = await signIns()
    expect(tokens.map(({ name, app: id }: { name: string; app: string | null }) => [name, id])).toEqual([
      ['Test', null],
      ['Ear training', client.id],
    ])
    // The newest session is that in which the member authorized the app.
    expect(sessions.length).toBe(3)
    const first = sessions.at(-1).id
    expect((await end(first, other)).body.code).toBe('SIGN_IN_NOT_FOUND')
    expect((await end(first)).status).toBe(204)
    expect((await end(first)).body.code).toBe('SIGN_IN_NOT_FOUND')
    expect(await Promise.all(browsers.map((browser) => browser.signedInAs()))).toEqual([
      undefined,
      member.username,
    ])

    expect((await asApp.get('/me')).status).toBe(200)
    for (const { id } of tokens) expect((await end(id)).status).toBe(204)
    expect((await member.get('/me')).status).toBe(401)
    expect((await asApp.get('/me')).status).toBe(401)
    expect((await signIns()).tokens).toEqual([])
    const events = (await actsOn(app, member.id)).filter(({ actor }) => actor === admin.id)
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['user.sessions-ended', { sessions: 1, tokens: 0 }],
      ['user.access-token-revoked', { token: tokens[0].id }],
      ['app.authorization-revoked', { app: client.id }],
    ])
  })

  it('is refused for members above the caller', async () => {
    const { id: organization, ada: admin } = await makeSchool(app, '2')
    const owner = await app.person('olga', { organization, role: 'accountAdmin' })
    const members = internalClient(await signedIn(app, admin))
    const { body } = await members.delete(`/members/${owner.id}/sign-ins/${owner.id}`)
    expect(body.code).toBe('ROLE_OUT_OF_REACH')
  })
})
