import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../../test/support/mail-server.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { expectValidHtml } from '../../../../test/support/valid-html.ts'
import type { MailFrequency } from '../../../contract/mail-frequencies.ts'
import { day, hour, minute } from '../../../lib/durations.ts'

const mailServer = useMailServer()

describeEachDatabase('mails about notifications', (databases) => {
  // A Monday, nine o'clock in Berlin.
  const clock = testClock('2030-01-07T08:00:00.000Z')
  const app = useApp(databases, mailServer.settings({ timeZone: 'Europe/Berlin' }), { clock })
  let school: string
  let tess: Person
  let schoolClass: TestClass
  const students = new Map<string, Person>()

  beforeAll(async () => {
    school = await app.organization('School')
    const member = (name: string, more: object = {}) =>
      app.person(name, { organization: school, email: `${name}@school.example`, ...more })
    tess = await member('tess', { role: 'teacher' })
    for (const name of ['daily', 'weekly', 'at-once', 'off', 'left', 'excused'])
      students.set(name, await member(name))
    students.set('no-address', await app.person('no-address', { organization: school }))
    students.set('unconfirmed', await member('unconfirmed'))
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ email_vouched: 0 }).where('id', '=', student('unconfirmed').id).execute(),
    )
    schoolClass = await newClass(app, school, { teachers: [tess], students: [...students.values()] })
    await choose('weekly', 'weekly')
    await choose('at-once', 'immediately')
    await choose('off', 'off')
    await choose('excused', 'off')
  })

  const student = (name: string) => students.get(name) as Person
  const choose = async (name: string, frequency: MailFrequency) =>
    internalClient(await signedIn(app, student(name))).put('/notifications/mails', { frequency })
  /** Lets time pass, and returns the new mails by the names of their receivers. */
  async function mailsAfter(time: number): Promise<Map<string, string>> {
    const before = mailServer.mails.length
    clock.forward(time)
    // One run queues the mails, and the next one sends them.
    for (let run = 0; run < 2; run++) await app.jobsDone()
    return new Map(
      mailServer.mails.slice(before).map((mail) => [/^To: (.*)@/m.exec(mail)?.[1] ?? '', readable(mail)]),
    )
  }
  const receiversAfter = async (time: number) => [...(await mailsAfter(time)).keys()].sort()

  it('come at the time that their receiver chose, once for each notification, and only to confirmed addresses', async () => {
    await mailsAfter(0)
    const scale = await newAssignment(tess, schoolClass, { title: 'Scale' })
    await newAssignment(tess, schoolClass, { title: 'Draft', state: 'draft' })
    expect(await receiversAfter(30_000)).toEqual([])
    expect(await receiversAfter(6 * minute)).toEqual(['at-once'])
    expect(await receiversAfter(hour)).toEqual([])
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', student('left').id).execute(),
    )
    const atFour = await mailsAfter(6 * hour)
    expect([...atFour.keys()].sort()).toEqual(['daily', 'weekly'])
    const mail = atFour.get('daily') ?? ''
    expect(mail).toContain('Subject: New in your classes: 1\n')
    expect(mail).toContain(`- New work: Scale\n  ${app.url}/classes/${schoolClass.id}/work/${scale.id}\n`)
    expect(mail).not.toMatch(/Draft|tess/)
    await newAssignment(tess, schoolClass, { title: 'Song' })
    const nextDay = await mailsAfter(day)
    expect([...nextDay.keys()].sort()).toEqual(['at-once', 'daily'])
    expect(nextDay.get('daily')).toMatch(/Song/)
    expect(nextDay.get('daily')).not.toMatch(/Scale/)
    // Nothing is new, except for the weekly mail.
    expect(await receiversAfter(6 * day)).toEqual(['weekly'])
    expect(await receiversAfter(8 * day)).toEqual([])
  })

  it('tell work that is due tomorrow and not handed in, once, and count what happens to one assignment', async () => {
    const dueDate = (days: number) => new Date(clock.now() + days * day).toISOString()
    const piece = await newAssignment(tess, schoolClass, {
      title: 'Piece',
      type: 'newScore',
      dueDate: dueDate(3),
      excusedStudents: [student('excused').id],
    })
    await mailsAfter(day)
    await newSubmission(student('at-once'), schoolClass, piece, { submit: true })
    await newSubmission(student('off'), schoolClass, piece, { submit: true })
    expect(await receiversAfter(22 * hour)).toEqual([])
    const eve = await mailsAfter(2 * hour)
    expect([...eve.keys()].sort()).toEqual(['daily', 'tess'])
    expect(eve.get('daily')).toContain('- Due tomorrow: Piece\n')
    expect(eve.get('tess')).toContain(`- Handed in (2): Piece\n  ${app.url}/classes/${schoolClass.id}/work/`)
    const kinds = async (name: string) => {
      const client = internalClient(await signedIn(app, student(name)))
      return (await client.get('/notifications')).body.notifications
        .filter(({ assignment }: { assignment: { id: string } }) => assignment.id === piece.id)
        .map(({ kind }: { kind: string }) => kind)
    }
    expect(await kinds('no-address')).toEqual(['dueTomorrow', 'assigned'])
    expect(await kinds('at-once')).toEqual(['assigned'])
    expect(await kinds('excused')).toEqual(['assigned'])
    expect(await receiversAfter(2 * hour)).toEqual([])
    expect(await kinds('no-address')).toEqual(['dueTomorrow', 'assigned'])
  })

  it('are stopped by the program of the receiver and chosen on a page without a sign-in, with a link that only they contain', async () => {
    await newAssignment(tess, schoolClass, { title: 'Rest' })
    const mail = (await mailsAfter(day)).get('daily') ?? ''
    // The header is folded, and not encoded.
    const [, link = ''] =
      /^List-Unsubscribe: <(.*)>$/m.exec(mail.replaceAll(/\n[ \t]+/g, ' ').replaceAll('\n ', '')) ?? []
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\n')
    expect(mail).toContain(link)
    const frequency = async () =>
      (await internalClient(await signedIn(app, student('daily'))).get('/notifications/mails')).body.frequency
    const post = (url: string, body: URLSearchParams | FormData, headers = {}) =>
      fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
    const page = await fetch(link)
    await expectValidHtml(await page.text())
    expect([page.status, await frequency()]).toEqual([200, 'daily'])
    const oneClick = new FormData()
    oneClick.set('List-Unsubscribe', 'One-Click')
    expect([(await post(link, oneClick)).status, await frequency()]).toEqual([200, 'off'])
    const chosen = await post(link, new URLSearchParams({ frequency: 'weekly' }))
    expect(await chosen.text()).toContain('Your choice is saved.')
    expect(await frequency()).toBe('weekly')
    const oneClickForm = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect([(await post(link, oneClickForm)).status, await frequency()]).toEqual([200, 'off'])
    expect((await post(link, new URLSearchParams({ frequency: 'hourly' }))).status).toBe(400)
    expect((await post(link, new URLSearchParams())).status).toBe(400)
    const foreign = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await post(link, new URLSearchParams({ frequency: 'daily' }), foreign)).status).toBe(403)
    const forged = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const url of [forged, link.replace(student('daily').id, tess.id), `${app.url}/auth/mails/x`]) {
      expect([(await fetch(url)).status, (await post(url, oneClickForm)).status]).toEqual([404, 404])
    }
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('users')
        .set({ email_key: 'other@school.example' })
        .where('id', '=', student('daily').id)
        .execute(),
    )
    expect((await post(link, new URLSearchParams({ frequency: 'daily' }))).status).toBe(404)
    expect(await frequency()).toBe('off')
  })
})
