import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { type AuditedSchool, makeAuditedSchool } from '../../../../test/support/audited-school.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import type { School } from '../../../../test/support/school.ts'
import { audit } from './audit.ts'
import { updateUser } from '../users/store.ts'

describeEachDatabase('listAuditLog', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let ada: Client
  let recordChange: AuditedSchool['recordChange']
  let memberRenamedElsewhere: AuditedSchool['memberRenamedElsewhere']

  beforeAll(async () => {
    ;({ people, ada, recordChange, memberRenamedElsewhere } = await makeAuditedSchool(app, clock))
  })

  const subjects = async (query: string) => {
    const { status, body } = await ada.get(`/audit-log?${query}`)
    expect(status).toBe(200)
    return body.events.map((event: { subject: { username: string } }) => event.subject.username)
  }

  it('returns the events of the own organization only, newest first', async () => {
    const { body } = await ada.get('/audit-log?action=user.updated')
    expect(body.events).toEqual([
      {
        id: expect.any(String),
        date: new Date(clock.now() - 2 * minute).toISOString(),
        action: 'user.updated',
        actor: { id: people.ada.id, username: 'ada' },
        subject: { id: people.sol.id, username: 'sol' },
        details: '{}',
      },
      expect.objectContaining({ subject: { id: people.sam.id, username: 'sam' } }),
    ])
    expect([body.next, body.actions.includes('user.updated')]).toEqual([null, true])
    const all = JSON.stringify((await ada.get('/audit-log?limit=100')).body)
    for (const other of [people.abel, people.otto]) expect(all).not.toContain(other.id)
  })

  it('names the members in the details, who are ids in the log', async () => {
    const [sam, abel] = [people.sam.id, people.abel.id]
    const details = { from: sam, to: abel, role: 'teacher' }
    const event = {
      organization: people.id,
      actor: people.ada.id,
      action: 'class.owner-changed',
      details,
    } as const
    await app.ctx.transaction((tx) => audit(tx, app.ctx, { ...event, subject: sam }))
    const { body } = await ada.get('/audit-log?action=class.owner-changed')
    expect(JSON.parse(body.events[0].details)).toEqual({ from: 'sam', to: abel, role: 'teacher' })
  })

  it('filters by account, action and time', async () => {
    expect(await subjects('user=sam&action=user.updated')).toEqual(['sam'])
    expect(await subjects(`user=${people.sol.id}&action=user.updated`)).toEqual(['sol'])
    expect(await subjects('user=ada&action=user.updated')).toEqual(['sol', 'sam'])
    const at = new Date(clock.now() - 2 * minute).toISOString()
    expect(await subjects(`since=${at}&action=user.updated`)).toEqual(['sol'])
    expect(await subjects(`until=${at}&action=user.updated`)).toEqual(['sam'])
    expect(await subjects(`user=${people.abel.id}`)).toEqual([])
    for (const query of ['user=abel', 'user=nobody']) {
      const { status, body } = await ada.get(`/audit-log?${query}`)
      expect([status, body.code, body.param]).toEqual([404, 'USER_NOT_FOUND', 'user'])
    }
    expect((await ada.get('/audit-log?cursor=x')).body.code).toBe('INVALID_CURSOR')
  })

  it('returns each event once across pages', async () => {
    const allEvents = (await ada.get('/audit-log?limit=100')).body.events
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { body } = await ada.get(`/audit-log?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.events)
      cursor = body.next ?? ''
    } while (cursor)
    expect(seen).toEqual(allEvents)
  })

  it('refuses teachers, students and users without an organization', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      const browser = await signedIn(app, person)
      const { status, body } = await internalClient(browser).get('/audit-log')
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    }
  })

  it('shows the current username of an account, and only the id of an erased one', async () => {
    const change = { username: 'samuel', username_key: 'samuel' }
    await app.ctx.transaction((tx) => updateUser(tx, people.sam.id, change))
    expect(await subjects(`user=${people.sam.id}&action=user.updated`)).toEqual(['samuel'])
    await recordChange(people.id, { id: '0123456789abcdef01234567' })
    expect((await ada.get('/audit-log?limit=1')).body.events[0].subject).toEqual({
      id: '0123456789abcdef01234567',
      username: null,
    })
  })

  it('does not name a former member who has been renamed elsewhere', async () => {
    const una = await memberRenamedElsewhere()
    const query = `user=${una.id}&action=user.updated`
    const { body } = await ada.get(`/audit-log?${query}`)
    expect(body.events[0].subject).toEqual({ id: una.id, username: null })
  })
})
