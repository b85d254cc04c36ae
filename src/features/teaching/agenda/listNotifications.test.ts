import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import type { Person } from '../../../../test/support/people.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import type { Notification } from '../../../contract/notifications.ts'
import { notificationsOf } from './notifications.ts'

describeApp('listNotifications', (app) => {
  let school: School
  let members = 0

  beforeAll(async () => {
    school = await makeSchool(app)
  })

  const person = (role: 'teacher' | 'user', names: object = {}) =>
    app.person(`member${++members}`, { organization: school.id, role, ...names })
  const listOf = async (of: Person, query = '') =>
    (await internalClient(await signedIn(app, of)).get(`/notifications${query}`)).body
  const linesOf = async (of: Person) =>
    (await listOf(of)).notifications.map(({ kind, assignment, by }: Notification) => [
      kind,
      assignment.title,
      by,
    ])

  /** Makes a class with one teacher and two students. */
  async function freshClass() {
    const teacher = await person('teacher', { firstname: 'Tina', lastname: 'Tenor' })
    const [student, other] = [await person('user', { firstname: 'Milo' }), await person('user')]
    const schoolClass = await newClass(app, school.id, { teachers: [teacher], students: [student, other] })
    return { teacher, student, other, schoolClass }
  }

  it('tells students and teachers what happened to their work, newest first', async () => {
    const { teacher, student, other, schoolClass } = await freshClass()
    const given = await newAssignment(teacher, schoolClass, {
      title: 'Scale',
      type: 'newScore',
      maxPoints: 10,
    })
    const { id } = await newSubmission(student, schoolClass, given, { submit: true })
    const at = `${submissionsOf(schoolClass, given)}/${id}`
    await student.post(`${at}/comments`, { comment: 'Is this right?' })
    await teacher.post(`${at}/comments`, { comment: 'Yes' })
    await teacher.put(at, { grade: 9, return: true })
    expect(await linesOf(student)).toEqual([
      ['returned', 'Scale', 'Tina Tenor'],
      ['commented', 'Scale', 'Tina Tenor'],
      ['assigned', 'Scale', 'Tina Tenor'],
    ])
    expect(await linesOf(teacher)).toEqual([
      ['commented', 'Scale', 'Milo'],
      ['handedIn', 'Scale', 'Milo'],
    ])
    expect(await linesOf(other)).toEqual([['assigned', 'Scale', 'Tina Tenor']])
    const { notifications, unread } = await listOf(student)
    expect(unread).toBe(3)
    expect(notifications[0]).toMatchObject({ isRead: false, teaches: false, class: { id: schoolClass.id } })
    expect(JSON.stringify(notifications)).not.toContain('Yes')
    expect((await listOf(teacher)).notifications[0].teaches).toBe(true)
  })

  it('tells the students of an assignment only, and once', async () => {
    const { teacher, student, other, schoolClass } = await freshClass()
    const cellos = await newSubGroup(teacher, schoolClass, 'Cellos', other)
    const given = await newAssignment(teacher, schoolClass, { title: 'Bow', assignedStudents: [student.id] })
    await newAssignment(teacher, schoolClass, { title: 'Draft', state: 'draft' })
    const scheduledDate = new Date(Date.now() + 86_400_000).toISOString()
    await newAssignment(teacher, schoolClass, { title: 'Tomorrow', scheduledDate })
    const path = `/classes/${schoolClass.id}/assignments/${given.id}`
    await teacher.put(path, { title: 'Bowing' })
    expect(await linesOf(student)).toEqual([['assigned', 'Bowing', 'Tina Tenor']])
    expect(await linesOf(other)).toEqual([])
    await teacher.put(path, { assignedStudents: [student.id], classGroupIds: [cellos] })
    expect(await linesOf(other)).toEqual([['assigned', 'Bowing', 'Tina Tenor']])
    expect((await listOf(student)).notifications).toHaveLength(1)
  })

  it('withdraws what was handed in when the student takes it back, and repeats nothing', async () => {
    const { teacher, student, schoolClass } = await freshClass()
    const given = await newAssignment(teacher, schoolClass, { title: 'Again', type: 'newScore' })
    await newSubmission(student, schoolClass, given, { submit: true })
    await newSubmission(student, schoolClass, given, { submit: false })
    expect(await linesOf(teacher)).toEqual([])
    await newSubmission(student, schoolClass, given, { submit: true })
    await newSubmission(student, schoolClass, given, { submit: true })
    expect(await linesOf(teacher)).toEqual([['handedIn', 'Again', 'Milo']])
  })

  it('shows nothing of work that the reader cannot see any more', async () => {
    const { teacher, student, other, schoolClass } = await freshClass()
    const given = await newAssignment(teacher, schoolClass, { title: 'Hidden' })
    const path = `/classes/${schoolClass.id}/assignments/${given.id}`
    await teacher.put(path, { assigneeMode: 'selected', assignedStudents: [other.id] })
    expect(await listOf(student)).toEqual({ notifications: [], unread: 0, next: null })
    expect((await listOf(other)).unread).toBe(1)
    await setClassState(app, schoolClass, 'inactive')
    expect((await listOf(other)).unread).toBe(0)
    await setClassState(app, schoolClass, 'active')
    await teacher.delete(`/classes/${schoolClass.id}/users/${other.id}`)
    expect(await listOf(other)).toEqual({ notifications: [], unread: 0, next: null })
    await teacher.put(`/classes/${schoolClass.id}/users/${other.id}`)
    expect((await listOf(other)).unread).toBe(0)
  })

  it('hides the name of a person who has left the organization', async () => {
    const { teacher, student, schoolClass } = await freshClass()
    await newAssignment(teacher, schoolClass, { title: 'Left' })
    await school.ada.delete(`/organizations/users/${teacher.id}`)
    expect(await linesOf(student)).toEqual([['assigned', 'Left', null]])
  })

  it('lists pages, and answers an empty list to an individual account', async () => {
    const { teacher, student, schoolClass } = await freshClass()
    for (const title of ['A', 'B', 'C']) await newAssignment(teacher, schoolClass, { title })
    const first = await listOf(student, '?limit=2')
    const rest = await listOf(student, `?limit=2&cursor=${first.next}`)
    const titles = [...first.notifications, ...rest.notifications].map(
      ({ assignment }: Notification) => assignment.title,
    )
    expect(titles).toEqual(['C', 'B', 'A'])
    expect([rest.next, rest.unread]).toEqual([null, 3])
    expect(await listOf(student, '?limit=0')).toEqual({ notifications: [], unread: 3, next: null })
    expect((await internalClient(await signedIn(app, student)).get('/notifications?cursor=x')).status).toBe(
      400,
    )
    expect(await listOf(await app.person('alone'))).toEqual({ notifications: [], unread: 0, next: null })
  })

  it('needs a constant number of queries', async () => {
    const { teacher, student, schoolClass } = await freshClass()
    const viewer = {
      id: student.id,
      organization: school.id,
      organizationRole: 'user',
      access: { isDelegated: false },
    } as never
    const count = () =>
      queriesOf(app.ctx.db.read, (queries) =>
        notificationsOf(queries, viewer, app.ctx.clock.now(), { limit: 25 }),
      )
    await newAssignment(teacher, schoolClass)
    const one = await count()
    for (let n = 0; n < 5; n++) await newAssignment(teacher, schoolClass)
    expect(await count()).toBe(one)
  })
})
