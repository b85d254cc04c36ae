import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { type Browser, browserAt } from '../../../../test/support/browser.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { sessionClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../../test/support/mail-server.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { updateUser } from '../users/store.ts'

const password = 'battery staple'
const mailServer = useMailServer()

describeEachDatabase('passwords that teachers set', (databases) => {
  const app = useApp(databases, mailServer.settings())
  let n = 0

  const newSchool = () => makeSchool(app, String(++n))
  async function reset({ id }: { id: string }, by: Person): Promise<string> {
    const { status, body } = await by.put(`/organizations/users/${id}`, { password })
    return status === 200 ? 'ok' : body.code
  }
  /** Creates a class by a request, as a teacher would, and returns its id and enrolment code. */
  async function createClass(teacher: Person): Promise<{ id: string; code: string }> {
    const { body } = await teacher.post('/classes', { name: 'Choir' })
    return { id: body.id, code: body.enrollmentCode }
  }
  async function signInWith(username: string): Promise<Browser> {
    const browser = browserAt(app.url)
    await browser.submit(await browser.open('/auth/signin?next=/healthz'), '/auth/signin', {
      username,
      password,
    })
    return browser
  }

  it('cannot take over a student whom the teacher has added to an own class', async () => {
    const { tess, sam } = await newSchool()
    const { id } = await createClass(tess)
    expect((await tess.put(`/classes/${id}/users/${sam.id}`)).status).toBe(204)
    expect(await reset(sam, tess)).toBe('STUDENT_PLACED_BY_TEACHER')
    expect((await sam.get('/me')).status).toBe(200)
  })

  it('are allowed when an administrator or the student with the code places the student as well', async () => {
    const { ada, tess, sam, sol } = await newSchool()
    const { id, code } = await createClass(tess)
    for (const student of [sam, sol]) await tess.put(`/classes/${id}/users/${student.id}`)
    await ada.put(`/classes/${id}/users/${sam.id}`)
    expect(await reset(sam, tess)).toBe('ok')
    await sol.post(`/classes/enroll/${code}`)
    // An addition by the teacher afterwards changes nothing.
    await tess.put(`/classes/${id}/users/${sol.id}`)
    expect(await reset(sol, tess)).toBe('ok')
    const placed = async (person: Person) =>
      (await auditOf(app, person.id)).flatMap(({ action, details }) =>
        action === 'class.member-added' ? [details.placement] : [],
      )
    expect([await placed(sam), await placed(sol)]).toEqual([
      ['teacher', 'administrator'],
      ['teacher', 'code'],
    ])
  })

  it('need a teacher who did not come with the enrolment code, and cannot confirm that themself', async () => {
    const { ada, tess, theo, sam } = await newSchool()
    const { id, code } = await createClass(tess)
    await sam.post(`/classes/enroll/${code}`)
    await theo.post(`/classes/enroll/${code}`)
    expect(await reset(sam, theo)).toBe('TEACHER_JOINED_BY_CODE')
    for (const user of ['me', theo.id]) {
      expect((await theo.put(`/classes/${id}/users/${user}`)).status).toBe(204)
      expect(await reset(sam, theo)).toBe('TEACHER_JOINED_BY_CODE')
    }
    await ada.put(`/classes/${id}/users/${theo.id}`)
    expect(await reset(sam, theo)).toBe('ok')
  })

  it('keep the placement of a member who gets another role', async () => {
    const { ada, tess, theo, sam } = await newSchool()
    const { id, code } = await createClass(tess)
    await sam.post(`/classes/enroll/${code}`)
    await tess.put(`/classes/${id}/users/${theo.id}`)
    const setRole = (person: Person, organizationRole: string) =>
      ada.put(`/organizations/users/${person.id}`, { organizationRole })
    await setRole(theo, 'user')
    expect(await reset(theo, tess)).toBe('STUDENT_PLACED_BY_TEACHER')
    await setRole(sam, 'teacher')
    await setRole(theo, 'teacher')
    await setRole(theo, 'user')
    expect(await reset(theo, sam)).toBe('STUDENT_PLACED_BY_TEACHER')
    await ada.put(`/classes/${id}/users/${theo.id}`)
    expect(await reset(theo, sam)).toBe('TEACHER_JOINED_BY_CODE')
    expect(await reset(theo, tess)).toBe('ok')
  })

  it('do not let the teacher place the student in the class of another teacher with the code', async () => {
    const { ada, tess, theo, sam } = await newSchool()
    const own = await createClass(tess)
    await ada.put(`/classes/${own.id}/users/${sam.id}`)
    await reset(sam, tess)
    const other = await createClass(theo)
    const session = sessionClient(await signInWith(sam.username))
    expect((await session.post(`/classes/enroll/${other.code}`)).status).toBe(200)
    expect(await reset(sam, theo)).toBe('STUDENT_PLACED_BY_TEACHER')
  })

  it('are mailed to the student and to the administrators, in their languages', async () => {
    const { id, ada, tess, sam, sol } = await newSchool()
    await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    await app.ctx.transaction(async (tx) => {
      await updateUser(tx, sam.id, { email: `sam${n}@school.example`, locale: 'fr' })
      await updateUser(tx, ada.id, { email: `ada${n}@school.example`, locale: 'de' })
      await updateUser(tx, sol.id, { email: `sol${n}@school.example` })
    })
    const before = mailServer.mails.length
    await reset(sam, tess)
    await reset(sol, ada)
    await app.jobsDone()
    const sent = mailServer.mails.slice(before).map((mail) => readable(mail).replaceAll('\n', ' '))
    const to = (name: string) => sent.filter((mail) => mail.includes(`To: ${name}${n}@`))
    expect(sent).toHaveLength(3)
    expect(to('sam')[0]).toContain(`${tess.username} a défini un nouveau mot de passe`)
    expect(to('sol')[0]).toContain(`${ada.username} has set a new password`)
    expect(to('ada')[0]).toContain(`Lehrkraft ${tess.username} hat für das Schülerkonto ${sam.username}`)
  })

  it('mark what is done in the session that they open, in the audit log', async () => {
    const { id, ada, tess, sam } = await newSchool()
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const { code } = await createClass(tess)
    await reset(sam, tess)
    const session = sessionClient(await signInWith(sam.username))
    await session.post(`/classes/enroll/${code}`)
    await session.delete(`/classes/${schoolClass.id}/users/me`)
    const marks = async () =>
      (await auditOf(app, sam.id)).map(({ actor, action, details }) => [
        action,
        actor === sam.id ? details.actorPasswordOrigin : details.passwordOrigin,
      ])
    expect(await marks()).toEqual([
      ['user.password-changed', 'teacher'],
      ['user.signed-in', 'teacher'],
      ['class.member-added', 'teacher'],
      ['class.member-removed', 'teacher'],
    ])
    await ada.put(`/organizations/users/${sam.id}`, { password })
    await signInWith(sam.username)
    expect((await marks()).slice(4)).toEqual([
      ['user.password-changed', 'administrator'],
      ['user.signed-in', 'administrator'],
    ])
  })
})
