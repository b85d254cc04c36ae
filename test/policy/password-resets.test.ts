import { beforeAll, describe, expect, it } from 'vitest'
import { insertProviderAccount } from '../../src/auth/providers/store.ts'
import type { Placement } from '../../src/platform/db/tables.ts'
import { type Person, useApp } from '../support/app.ts'
import { newClass, setPlacement } from '../support/classes.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { addProvider } from '../support/openid-provider.ts'
import { limit } from '../support/organizations.ts'
import { makeSchool, type School } from '../support/school.ts'

/** When a teacher can set the password of a student, who placed the student in the class, and who the teacher. */
const placements: Readonly<Record<Placement, Readonly<Record<Placement, string>>>> = {
  administrator: {
    administrator: 'ok',
    roster: 'ok',
    teacher: 'ok',
    code: 'TEACHER_JOINED_BY_CODE',
  },
  roster: { administrator: 'ok', roster: 'ok', teacher: 'ok', code: 'TEACHER_JOINED_BY_CODE' },
  code: { administrator: 'ok', roster: 'ok', teacher: 'ok', code: 'TEACHER_JOINED_BY_CODE' },
  teacher: {
    administrator: 'STUDENT_PLACED_BY_TEACHER',
    roster: 'STUDENT_PLACED_BY_TEACHER',
    teacher: 'STUDENT_PLACED_BY_TEACHER',
    code: 'STUDENT_PLACED_BY_TEACHER',
  },
}

describeEachDatabase('policy of passwords that others set', (databases) => {
  const app = useApp(databases)
  let school: School
  let n = 0

  beforeAll(async () => {
    school = await makeSchool(app)
  })

  const newStudent = (organization = school.id) => app.person(`pupil${++n}`, { organization })
  async function reset(student: { id: string }, by: Person = school.tara) {
    const body = { password: 'battery staple' }
    const reply = await by.put(`/organizations/users/${student.id}`, body)
    return reply.status === 200 ? 'ok' : `${reply.status} ${reply.body.code}`
  }
  const expectation = (outcome: string) => (outcome === 'ok' ? 'ok' : `403 ${outcome}`)

  describe.each(Object.entries(placements))('of a student placed by: %s', (placement, outcomes) => {
    it.each(Object.entries(outcomes))('by a teacher placed by: %s', async (teacherBy, outcome) => {
      const student = await newStudent()
      const schoolClass = await newClass(app, school.id, { teachers: [school.tara], students: [student] })
      await setPlacement(app, schoolClass.studentsGroup, student, placement as Placement)
      await setPlacement(app, schoolClass.teachersGroup, school.tara, teacherBy as Placement)
      expect(await reset(student)).toBe(expectation(outcome))
      expect(await reset(student, school.ada)).toBe('ok')
    })
  })

  it('one class with the right placements is enough, and it must be the same class for both', async () => {
    const student = await newStudent()
    const members = { teachers: [school.tara], students: [student] }
    const [first, second] = [await newClass(app, school.id, members), await newClass(app, school.id, members)]
    await setPlacement(app, first.studentsGroup, student, 'teacher')
    await setPlacement(app, second.teachersGroup, school.tara, 'code')
    expect(await reset(student)).toBe('403 TEACHER_JOINED_BY_CODE')
    await setPlacement(app, first.studentsGroup, student, 'roster')
    expect(await reset(student)).toBe('ok')
  })

  describe('by a caller without the class', () => {
    it.each(['tess', 'sol', 'abel', 'otto'] as const)('%s', async (caller) => {
      const student = await newStudent()
      await newClass(app, school.id, { teachers: [school.tara], students: [student] })
      const code = caller === 'abel' ? '404 USER_NOT_FOUND' : '403 ORGANIZATION_ACCESS_DENIED'
      expect(await reset(student, school[caller])).toBe(code)
    })
  })

  it('never of a student who signs in through a provider, except by an administrator', async () => {
    const student = await newStudent()
    await newClass(app, school.id, { teachers: [school.tara], students: [student] })
    await addProvider(app, { name: 'idp', organization: school.id, issuer: 'https://idp.example' })
    const account = { provider: 'idp', subject: 'x', user_id: student.id, created_at: 0 }
    await app.ctx.transaction((tx) => insertProviderAccount(tx, account))
    expect(await reset(student)).toBe('403 STUDENT_USES_PROVIDER')
    expect(await reset(student, school.ada)).toBe('ok')
  })

  it('not by teachers if the organization disables it, except of a test student', async () => {
    const strict = await makeSchool(app, 'strict')
    const student = await newStudent(strict.id)
    const schoolClass = await newClass(app, strict.id, { teachers: [strict.tara], students: [student] })
    await limit(app, strict.id, { allows_teachers_to_set_passwords: 0 })
    expect(await reset(student, strict.tara)).toBe('403 TEACHER_PASSWORD_RESETS_DISABLED')
    const test = await strict.tara.post(`/classes/${schoolClass.id}/testStudent`)
    expect(await reset(test.body, strict.tara)).toBe('ok')
    expect(await reset(student, strict.ada)).toBe('ok')
  })
})
