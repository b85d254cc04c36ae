import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('getOrganizationSummary', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('counts members, classes and open invitations of the own organization', async () => {
    const { id, ada, tess, theo, sol, abel } = await makeSchool(app)
    await abel.post('/classes', { name: 'Another school’s class' })
    await abel.post('/organizations/invitations', { organizationRole: 'user' })
    const { body: schoolClass } = await tess.post('/classes', { name: 'Winds' })
    await tess.post(`/classes/${schoolClass.id}/testStudent`)
    for (const state of ['inactive', 'archived', 'archived'] as const)
      await newClass(app, id, { teachers: [theo], state })
    await theo.post('/scores', emptyPiano())
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 0 }).where('id', '=', sol.id).execute(),
    )
    await limit(app, id, { max_seats: 40 })

    await ada.post('/organizations/invitations', { organizationRole: 'user' })
    clock.forward(15 * day)
    const client = internalClient(await signedIn(app, ada))
    for (const organizationRole of ['teacher', 'admin'])
      await ada.post('/organizations/invitations', { organizationRole })
    expect((await client.get('/organization/summary')).body).toEqual({
      members: { user: 1, teacher: 3, admin: 1, accountAdmin: 0 },
      seats: 40,
      storage: { used: 1024 ** 2, allowed: expect.any(Number) },
      openInvitations: 2,
      classes: { inactive: 1, active: 1, archived: 2 },
    })

    // Only an administrator can invite.
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ organization_role: 'teacher' }).where('id', '=', ada.id).execute(),
    )
    const olga = await app.person('olga', { organization: id, role: 'accountAdmin' })
    const { body } = await internalClient(await signedIn(app, olga)).get('/organization/summary')
    expect([body.openInvitations, body.members.accountAdmin]).toEqual([0, 1])
  })
})
