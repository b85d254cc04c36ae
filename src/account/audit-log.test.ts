import { beforeAll, expect, it } from 'vitest'
import { type AccountClient, accountIn } from '../../test/support/account.ts'
import { type Person, useApp } from '../../test/support/app.ts'
import type { Browser } from '../../test/support/browser.ts'
import { day, minute, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { signedIn } from '../../test/support/oauth.ts'
import { makeSchool, type School } from '../../test/support/school.ts'
import { audit } from '../features/audit/audit.ts'
import { updateUser } from '../features/users/store.ts'

describeEachDatabase('the audit log for administrators', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { auditDays: '30' }, { clock })
  let people: School
  let browser: Browser
  let ada: AccountClient

  beforeAll(async () => {
    people = await makeSchool(app)
    browser = await signedIn(app, people.ada)
    ada = accountIn(browser)
    const otherOrganization = (await people.abel.get('/me')).body.organization
    for (const [organization, who] of [
      [people.id, people.sam],
      [people.id, people.sol],
      [otherOrganization, people.abel],
      [null, people.otto],
    ] as const) {
      clock.forward(minute)
      await note(organization, who)
    }
  })

  const note = (organization: string | null, { id }: Person, details = {}) =>
    app.ctx.transaction((tx) =>
      audit(tx, app.ctx, { organization, actor: people.ada.id, action: 'user.updated', subject: id, details }),
    )
  const subjects = async (query: string) => {
    const { status, body } = await ada.get(`/audit-log?${query}`)
    expect(status).toBe(200)
    return body.events.map((event: { subject: { username: string } }) => event.subject.username)
  }

  it('shows what was done in their organization, the newest first, and nothing of others', async () => {
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

  it('is asked for an account, an action and a time', async () => {
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

  it('is read page by page, each event once', async () => {
    const whole = (await ada.get('/audit-log?limit=100')).body.events
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { body } = await ada.get(`/audit-log?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.events)
      cursor = body.next ?? ''
    } while (cursor)
    expect(seen).toEqual(whole)
  })

  it('is saved as CSV, the oldest first, in which nothing is a formula', async () => {
    const formula = await app.person('=cmd', { organization: people.id })
    await note(people.id, formula)
    const { status, headers, text } = await browser.open('/account/data/audit-log.csv?action=user.updated')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toContain('filename="audit-log.csv"')
    const [first, ...rows] = text.trimEnd().split('\r\n')
    expect(first).toMatch(/Date,Action,Actor,Actor id,Subject,Subject id,Organization,Details$/)
    expect(rows.map((row) => row.split(',')[4])).toEqual(['sam', 'sol', "'=cmd"])
  })

  it('is not for teachers, students, and who is in no organization', async () => {
    for (const who of [people.tess, people.sam, people.otto]) {
      const own = await signedIn(app, who)
      for (const path of ['/audit-log', '/audit-log.csv']) {
        const { status, body } = await accountIn(own).get(path)
        expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
      }
    }
  })

  it('has an account by its id alone when that is gone, and in the name that it has now', async () => {
    const change = { username: 'samuel', username_key: 'samuel' }
    await app.ctx.transaction((tx) => updateUser(tx, people.sam.id, change))
    expect(await subjects(`user=${people.sam.id}&action=user.updated`)).toEqual(['samuel'])
    await note(people.id, { id: '0123456789abcdef01234567' } as Person)
    expect((await ada.get('/audit-log?limit=1')).body.events[0].subject).toEqual({
      id: '0123456789abcdef01234567',
      username: null,
    })
  })

  it('does not say what somebody is called elsewhere, who has left and is renamed there', async () => {
    const una = await app.person('una', { organization: people.id })
    await note(people.id, una)
    expect((await people.ada.delete(`/organizations/users/${una.id}?convertToIndividual=true`)).status).toBe(204)
    const { organization } = (await people.abel.get('/me')).body
    const renamed = { username: 'una.of.b', username_key: 'una.of.b' }
    const elsewhere = { organization_id: organization, organization_role: 'user', ...renamed } as const
    await app.ctx.transaction((tx) => updateUser(tx, una.id, elsewhere))
    const query = `user=${una.id}&action=user.updated`
    const { body } = await ada.get(`/audit-log?${query}`)
    expect(body.events[0].subject).toEqual({ id: una.id, username: null })
    const { text } = await browser.open(`/account/data/audit-log.csv?${query}`)
    expect(text).toContain(`user.updated,ada,${people.ada.id},,${una.id}`)
    expect(text).not.toContain('una.of.b')
  })

  it('is kept for the days of the setting', async () => {
    const count = async () =>
      (await app.ctx.db.read.selectFrom('audit_events').select('id').where('subject_id', '=', people.sol.id).execute())
        .length
    const before = await count()
    clock.forward(29 * day)
    await app.jobsDone()
    expect(await count()).toBe(before)
    clock.forward(2 * day)
    await app.jobsDone()
    expect(await count()).toBe(0)
  })
})
