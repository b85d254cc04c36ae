import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { allScopes } from '../../../contract/scopes.ts'
import { createPersonalToken } from '../../../../test/support/personal-tokens.ts'

describeApp('deleteClassUser', (app, databases) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
  })
  beforeEach(async () => {
    const { id, tess, theo, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess, theo], students: [sam, sol] })
  })

  const remove = (by: Person, user: { id: string }) =>
    by.delete(`/classes/${schoolClass.id}/users/${user.id}`)
  async function counts(): Promise<[teachers: number, students: number]> {
    const { body } = await people.ada.get(`/classes/${schoolClass.id}`)
    return [body.teachersGroup.usersCount, body.studentsGroup.usersCount]
  }

  it('removes students and teachers for a teacher or an administrator', async () => {
    const { tess, theo, ada, sam, sol } = people
    expect((await remove(tess, sam)).status).toBe(204)
    expect((await remove(ada, sol)).status).toBe(204)
    expect((await remove(tess, theo)).status).toBe(204)
    expect(await counts()).toEqual([1, 0])
    for (const person of [sam, theo])
      expect((await person.get(`/classes/${schoolClass.id}`)).status).toBe(404)
  })

  it('allows students and teachers to leave', async () => {
    const { theo, sam, sol } = people
    expect((await remove(sam, sam)).status).toBe(204)
    expect((await remove(sol, { id: 'me' })).status).toBe(204)
    expect((await remove(theo, { id: 'me' })).status).toBe(204)
    expect(await counts()).toEqual([1, 0])
    expect((await remove(sam, sam)).body.code).toBe('CLASS_NOT_FOUND')
  })

  it('refuses students who remove others, and teachers of other classes', async () => {
    const { sam, sol, tess, tara, abel } = people
    for (const user of [sol, tess]) expect((await remove(sam, user)).body.code).toBe('CLASS_ACCESS_DENIED')
    for (const person of [tara, abel]) {
      for (const user of [sam, person]) expect((await remove(person, user)).body.code).toBe('CLASS_NOT_FOUND')
    }
    expect(await counts()).toEqual([2, 2])
  })

  it('also removes the user from the groups of this class, but not of others', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const [brass, strings] = [
      await newSubGroup(tess, schoolClass, 'Brass', sam),
      await newSubGroup(tess, other, 'Strings', sam),
    ]
    await remove(tess, sam)
    expect((await tess.get(`/groups/${brass}`)).body.usersCount).toBe(0)
    expect((await tess.get(`/groups/${strings}`)).body.usersCount).toBe(1)
    expect((await sam.get(`/classes/${other.id}`)).status).toBe(200)
  })

  it('returns 404 for a user who is not in the class', async () => {
    const { tess, ada, tara, otto, abel } = people
    const none = await remove(tess, { id: '0123456789abcdef01234567' })
    for (const user of [tara, ada, otto, abel]) {
      const { status, body } = await remove(tess, user)
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
      expect(body).toEqual(none.body)
    }
    expect((await remove(ada, { id: 'me' })).body.code).toBe('USER_NOT_FOUND')
  })

  it('refuses to remove the last teacher, not counting removed accounts', async () => {
    const { tess, theo, ada, id } = people
    const una = await app.person(`una-${schoolClass.id.slice(-16)}`, { organization: id, role: 'teacher' })
    await ada.put(`/classes/${schoolClass.id}/users/${una.id}`)
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 0 }).where('id', '=', una.id).execute(),
    )
    await remove(theo, theo)
    for (const person of [tess, ada]) {
      const { status, body } = await remove(person, tess)
      expect([status, body.code]).toEqual([409, 'LAST_TEACHER'])
    }
    expect((await remove(tess, una)).body.code).toBe('USER_NOT_FOUND')
    expect(await counts()).toEqual([1, 2])
  })

  it('keeps one of the last two teachers who leave concurrently on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const id = await app.organization()
      const teacher = (name: string) => app.person(name, { organization: id, role: 'teacher' })
      const [vic, val] = [await teacher('vic'), await teacher('val')]
      const classes = await Promise.all(
        Array.from({ length: 4 }, () => newClass(app, id, { teachers: [vic, val] })),
      )
      const responses = await Promise.all(
        classes.map(({ id }) =>
          Promise.all([vic.delete(`/classes/${id}/users/me`), there(val).delete(`/classes/${id}/users/me`)]),
        ),
      )
      for (const replies of responses) expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
    })
  })

  it('removes the user from the assignees of assignments', async () => {
    const { tess, sam, sol } = people
    const score = (await tess.post('/scores', emptyPiano())).body.id
    await tess.put(`/classes/${schoolClass.id}/users/${sam.id}`)
    await tess.put(`/classes/${schoolClass.id}/users/${sol.id}`)
    const assignedStudents = [sam.id, sol.id]
    const { id } = await newAssignment(tess, schoolClass, { assignedStudents, attachments: [{ score }] })
    expect((await sam.get(`/scores/${score}`)).status).toBe(200)
    expect((await remove(tess, sam)).status).toBe(204)
    expect((await sam.get(`/scores/${score}`)).status).toBe(404)
    expect((await sol.get(`/scores/${score}`)).status).toBe(200)
    await tess.put(`/classes/${schoolClass.id}/users/${sam.id}`)
    const path = `/classes/${schoolClass.id}/assignments/${id}`
    expect((await sam.get(path)).status).toBe(404)
    expect((await tess.get(path)).body.assignedStudents).toEqual([sol.id])
  })

  it('refuses an archived class', async () => {
    const { tess, sam, tara } = people
    await setClassState(app, schoolClass, 'archived')
    expect((await remove(tess, sam)).body.code).toBe('CLASS_ARCHIVED')
    expect((await remove(sam, sam)).body.code).toBe('CLASS_ARCHIVED')
    expect((await remove(tess, tara)).body.code).toBe('USER_NOT_FOUND')
  })

  it('deletes the account of a test student', async () => {
    const { tess } = people
    const { body: student } = await tess.post(`/classes/${schoolClass.id}/testStudent`)
    const token = await createPersonalToken(app.ctx, student.id, 'Test', allScopes)
    expect((await clientOf(app.url, token).get('/me')).status).toBe(200)
    expect((await remove(tess, student)).status).toBe(204)
    expect((await clientOf(app.url, token).get('/me')).status).toBe(401)
    expect((await remove(tess, student)).body.code).toBe('USER_NOT_FOUND')
    expect((await tess.post(`/classes/${schoolClass.id}/testStudent`)).body.id).not.toBe(student.id)
  })
})
