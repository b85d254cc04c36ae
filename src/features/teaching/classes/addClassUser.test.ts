import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

const missing = '0123456789abcdef01234567'

describeApp('addClassUser', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
  })
  beforeEach(async () => {
    schoolClass = await newClass(app, people.id, { teachers: [people.tess] })
  })

  const add = (by: Person, user: { id: string }) => by.put(`/classes/${schoolClass.id}/users/${user.id}`)
  async function counts(): Promise<[teachers: number, students: number]> {
    const { body } = await people.ada.get(`/classes/${schoolClass.id}`)
    return [body.teachersGroup.usersCount, body.studentsGroup.usersCount]
  }

  it('adds students of the organization as students, and all other members as teachers', async () => {
    const { tess, theo, ada, sam } = people
    expect((await add(tess, sam)).status).toBe(204)
    expect(await counts()).toEqual([1, 1])
    for (const person of [theo, ada]) expect((await add(tess, person)).status).toBe(204)
    expect(await counts()).toEqual([3, 1])
    expect((await theo.get(`/classes/${schoolClass.id}`)).body.enrollmentCode).toEqual(expect.any(String))
  })

  it('changes nothing for a user who is in the class already, even concurrently', async () => {
    const { tess, sam } = people
    const replies = await Promise.all(Array.from({ length: 4 }, () => add(tess, sam)))
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect((await add(tess, tess)).status).toBe(204)
    expect(await counts()).toEqual([1, 1])
  })

  it('allows administrators to add any member, including themselves', async () => {
    const { ada, sol } = people
    expect((await add(ada, sol)).status).toBe(204)
    expect((await ada.put(`/classes/${schoolClass.id}/users/me`)).status).toBe(204)
    expect(await counts()).toEqual([2, 1])
  })

  it('returns 404 for users outside the organization and removed users', async () => {
    const { id, tess, otto, abel } = people
    const removed = await app.person(`removed-${schoolClass.id.slice(-16)}`, { organization: id })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: Date.now() }).where('id', '=', removed.id).execute(),
    )
    const none = await add(tess, { id: missing })
    for (const person of [otto, abel, removed]) {
      const { status, body } = await add(tess, person)
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
      expect(body).toEqual(none.body)
    }
    expect(await counts()).toEqual([1, 0])
  })

  it('refuses students and teachers of other classes', async () => {
    const { tess, sam, sol, tara, abel } = people
    await add(tess, sam)
    expect((await add(sam, sol)).body.code).toBe('CLASS_ACCESS_DENIED')
    for (const person of [tara, sol, abel])
      expect((await add(person, person)).body.code).toBe('CLASS_NOT_FOUND')
    expect(await counts()).toEqual([1, 1])
  })

  it('refuses an archived class, but checks the user first', async () => {
    const { tess, sam } = people
    await setClassState(app, schoolClass, 'archived')
    expect((await add(tess, sam)).body.code).toBe('CLASS_ARCHIVED')
    expect((await add(tess, { id: missing })).body.code).toBe('USER_NOT_FOUND')
  })

  it('refuses the test student of another class', async () => {
    const { tess } = people
    const { body: student } = await tess.post(`/classes/${schoolClass.id}/testStudent`)
    expect((await add(tess, student)).status).toBe(204)
    const other = await newClass(app, people.id, { teachers: [tess] })
    const { status, body } = await tess.put(`/classes/${other.id}/users/${student.id}`)
    expect([status, body.code]).toEqual([403, 'CLASS_ACCESS_DENIED'])
  })
})
