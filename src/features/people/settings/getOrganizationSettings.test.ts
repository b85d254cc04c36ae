import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { hour } from '../../../lib/durations.ts'

describeApp('getOrganizationSettings', (app) => {
  it('returns the rules, the limits and what the organization uses of them', async () => {
    const { id, ada: admin, tess: teacher } = await makeSchool(app)
    await newClass(app, id, { teachers: [teacher] })
    await newClass(app, id, { teachers: [teacher], state: 'archived' })
    await teacher.post('/scores', emptyPiano())
    await limit(app, id, { max_seats: 40, max_session_ms: 8 * hour, requires_second_factor: 0 })
    const client = internalClient(await signedIn(app, admin))
    expect((await client.get('/organization')).body).toEqual({
      name: 'School',
      rules: {
        requireSecondFactor: false,
        requirePasskey: false,
        requireProvider: false,
        maxSessionHours: 8,
        maxTokenDays: null,
        minPasswordLength: null,
        teachersResetPasswords: true,
        allowPictureSignIn: false,
        invitationDays: null,
        allowSignUpByCode: false,
        allowPublicScores: false,
      },
      storage: { used: 1024 ** 2, allowed: expect.any(Number) },
      seats: { used: 6, allowed: 40 },
      classes: { used: 1, allowed: null },
      retentionDays: 30,
      server: { minPasswordLength: 8, administratorPasswordLength: 12, invitationDays: 14 },
      proof: 'password',
    })
  })
})
