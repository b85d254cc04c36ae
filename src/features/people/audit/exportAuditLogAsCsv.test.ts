import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { type AuditedSchool, makeAuditedSchool } from '../../../../test/support/audited-school.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import type { School } from '../../../../test/support/school.ts'

describeEachDatabase('exportAuditLogAsCsv', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let ada: Client
  let recordChange: AuditedSchool['recordChange']
  let memberRenamedElsewhere: AuditedSchool['memberRenamedElsewhere']

  beforeAll(async () => {
    ;({ people, ada, recordChange, memberRenamedElsewhere } = await makeAuditedSchool(app, clock))
  })

  it('returns CSV, oldest events first, with formulas escaped', async () => {
    const formula = await app.person('=cmd', { organization: people.id })
    await recordChange(people.id, formula)
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
    const una = await memberRenamedElsewhere()
    const query = `user=${una.id}&action=user.updated`
    const { bytes } = await ada.get(`/audit-log.csv?${query}`)
    const text = Buffer.from(bytes).toString()
    expect(text).toContain(`user.updated,ada,${people.ada.id},,${una.id}`)
    expect(text).not.toContain('una.of.b')
  })
})
