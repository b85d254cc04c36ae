import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { useMailServer } from '../../../test/support/mail-server.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { withSecondFactor } from '../../../test/support/second-factors.ts'

const mailServer = useMailServer()

describeEachDatabase('getSecurity', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings(), { clock })

  it('returns the second factor, the address and the sessions', async () => {
    const person = await app.person('person', { email: 'person@example.com' })
    const browser = await signedIn(app, person)
    clock.forward(minute)
    await withSecondFactor(app, person)
    const { body } = await internalClient(browser).get('/security')
    expect(body).toEqual({
      hasPassword: true,
      passwordSetBy: null,
      minPasswordLength: 8,
      missingFactor: null,
      secondFactor: { isOn: true, recoveryCodesLeft: 10 },
      passkeys: { canBeAdded: false, list: [] },
      email: { address: 'person@example.com', isVerified: false, waiting: null, canBeVerified: true },
      sessions: [
        {
          startedAt: new Date(clock.now() - minute).toISOString(),
          endsAt: new Date(clock.now() - minute + 14 * 24 * 60 * minute).toISOString(),
          isCurrent: true,
          isByLink: false,
        },
      ],
    })
  })
})
