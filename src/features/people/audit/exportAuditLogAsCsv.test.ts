import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/oauth.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { updateUser } from '../users/store.ts'
import { audit } from './audit.ts'

describeEachDatabase('exportAuditLogAsCsv', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let ada: Client

  beforeAll(async () => {
    people = await makeSchool(app)
    ada = internalClient(await signedIn(app, people.ada))
    const otherOrganization = (await people.abel.get('/me')).body.organization
    for (const [organization, person] of [
      [people.id, people.sam],
      [people.id, people.sol],
      [otherOrganization, people.abel],
      [null, people.otto],
    ] as const) {
      clock.forward(minute)
      await note(organization, person)
    }
  })

  const note = (organization: string | null, { id }: Person, details = {}) =>
    app.ctx.transaction((tx) =>
      audit(tx, app.ctx, {
        organization,
        actor: people.ada.id,
        action: 'user.updated',
        subject: id,
        details,
      }),
    )

  it('returns CSV, oldest events first, without formulas', async () => {
    const formula = await app.person('=cmd', { organization: people.id })
    await note(people.id, formula)
    const { status, headers, bytes } = await ada.get('/audit-log.csv?action=user.updated')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toContain('filename="audit-log.csv"')
    const [first, ...rows] = Buffer.from(bytes).toString().trimEnd().split('\r\n')
    expect(first).toMatch(/Date,Action,Actor,Actor id,Subject,Subject id,Organization,Details$/)
    expect(rows.map((row) => row.split(',')[4])).toEqual(['sam', 'sol', "'=cmd"])
  })

  it('refuses teachers, students and users without an organization', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      const browser = await signedIn(app, person)
      const { status, body } = await internalClient(browser).get('/audit-log.csv')
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    }
  })

  it('does not name a former member who has been renamed elsewhere', async () => {
    const una = await app.person('una', { organization: people.id })
    await note(people.id, una)
    expect((await people.ada.delete(`/organizations/users/${una.id}?convertToIndividual=true`)).status).toBe(
      204,
    )
    const { organization } = (await people.abel.get('/me')).body
    const renamed = { username: 'una.of.b', username_key: 'una.of.b' }
    const membership = { organization_id: organization, organization_role: 'user', ...renamed } as const
    await app.ctx.transaction((tx) => updateUser(tx, una.id, membership))
    const query = `user=${una.id}&action=user.updated`
    const { bytes } = await ada.get(`/audit-log.csv?${query}`)
    const text = Buffer.from(bytes).toString()
    expect(text).toContain(`user.updated,ada,${people.ada.id},,${una.id}`)
    expect(text).not.toContain('una.of.b')
  })
})
