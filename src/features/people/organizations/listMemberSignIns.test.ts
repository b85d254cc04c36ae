import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { browserAt } from '../../../../test/support/browser.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { password, signedIn } from '../../../../test/support/sessions.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('listMemberSignIns', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('names sessions by who may be at the browser, and tokens by their creator, without expired ones', async () => {
    const { ada, sam, sol } = await makeSchool(app)
    await ada.post(`/organizations/users/${sol.id}/accessToken`, { scopes: ['scores'] })
    await ada.put(`/organizations/users/${sam.id}`, { password })
    await signedIn(app, sam)
    const { body: link } = await ada.post(`/organizations/users/${sam.id}/signinLink`, {})
    clock.forward(1000)
    await browserAt(app.url).open(link.url, { method: 'POST', body: new URLSearchParams() })
    const list = async ({ id }: { id: string }) =>
      (await internalClient(await signedIn(app, ada)).get(`/members/${id}/sign-ins`)).body
    const openers = ({ sessions }: { sessions: { openedBy: string }[] }) =>
      sessions.map(({ openedBy }) => openedBy)
    expect(openers(await list(sam))).toEqual(['link', 'set password'])
    expect(openers(await list(ada))).toEqual(['member', 'member'])
    const tokens = async () =>
      (await list(sol)).tokens.map((token: { name: string; app: null; isByAdministrator: boolean }) => [
        token.name,
        token.app,
        token.isByAdministrator,
      ])
    expect(await tokens()).toEqual([
      ['Test', null, false],
      ['Made by an administrator', null, true],
    ])
    clock.forward(14 * day)
    expect(openers(await list(sam))).toEqual([])
    expect(await tokens()).toEqual([['Test', null, false]])
  })

  it('shows no secrets', async () => {
    const { ada, sam } = await makeSchool(app, '2')
    const browser = await signedIn(app, sam)
    const reply = await internalClient(await signedIn(app, ada)).get(`/members/${sam.id}/sign-ins`)
    const text = JSON.stringify(reply.body)
    expect(text).not.toContain(sam.token)
    expect(text).not.toContain(browser.cookies.get('partita_session'))
    expect(text).not.toContain('hash')
  })
})
