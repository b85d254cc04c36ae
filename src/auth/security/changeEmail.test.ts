import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'

const mailServer = useMailServer()

// src/auth/pages/email-verification.test.ts tests the limits, and what the link does.
describeEachDatabase('changeEmail', (databases) => {
  const app = useApp(databases, mailServer.settings())

  it('sends a link to the new address and a notice to the old one, and keeps the old one until the link is used', async () => {
    const email = `old-${databases.dialect}@example.com`
    const person = await app.person('person', { email })
    const account = internalClient(await signedIn(app, person))
    const change = { email: `new-${databases.dialect}@example.com`, password }
    const { status, body } = await account.put('/security/email', change)
    expect([status, body.email]).toEqual([
      200,
      { address: email, isVerified: false, waiting: change.email, canBeVerified: true },
    ])
    await app.jobsDone()
    const mails = mailServer.mails.map(readable).filter((mail) => mail.includes(`-${databases.dialect}@`))
    expect(mails.map((mail) => /To: (\S+)/.exec(mail)?.[1]).sort()).toEqual([change.email, email])
  })
})
