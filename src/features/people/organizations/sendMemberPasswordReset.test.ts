import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../../test/support/mail-server.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

const mailServer = useMailServer()

describeEachDatabase('sendMemberPasswordReset', (databases) => {
  const app = useApp(databases, mailServer.settings())

  it('mails a link to the address of the member, whose sign-ins stay, and names the administrator in the log', async () => {
    const { id: organization, ada: admin, sol: withoutAddress } = await makeSchool(app)
    const email = `mia.${organization}@example.com`
    const member = await app.person('mia', { organization, email })
    const members = internalClient(await signedIn(app, admin))
    const send = ({ id }: { id: string }) => members.post(`/members/${id}/password-reset`)
    expect((await send(withoutAddress)).body.code).toBe('MEMBER_WITHOUT_EMAIL')
    expect((await send(member)).status).toBe(204)
    await app.jobsDone()
    const [mail, ...others] = mailServer.mails.filter((mail) => mail.includes(email))
    expect(others).toEqual([])
    expect(readable(mail)).toMatch(/\/auth\/password\/partita_reset_\w+/)
    expect((await member.get('/me')).status).toBe(200)
    expect((await actsOn(app, member.id)).at(-1)).toMatchObject({
      actor: admin.id,
      action: 'user.password-reset-requested',
    })
    await limit(app, organization, { requires_provider: 1 })
    expect((await send(member)).body.code).toBe('PROVIDER_REQUIRED')
  })
})
