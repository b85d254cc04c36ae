import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('getAssignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, {
      teachers: [people.tess],
      students: [people.sam, people.sol],
    })
  })

  it('returns the same object as the list', async () => {
    const properties = { teacherInstructions: 'Secret', dueDate: '2030-01-01T00:00:00.000Z' }
    const { id } = await newAssignment(people.tess, schoolClass, properties)
    for (const person of [people.tess, people.sam]) {
      const { body } = await person.get(`/classes/${schoolClass.id}/assignments/${id}`)
      expect([body]).toEqual((await person.get(`/classes/${schoolClass.id}/assignments`)).body)
    }
  })

  it('returns 404 to a student without access, and in another class', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, { assignedStudents: [people.sam.id] })
    const other = await newClass(app, people.id, { teachers: [people.tess] })
    const codes = [
      [people.sol, schoolClass, 'ASSIGNMENT_NOT_FOUND'],
      [people.tess, other, 'ASSIGNMENT_NOT_FOUND'],
      [people.tara, schoolClass, 'CLASS_NOT_FOUND'],
    ] as const
    for (const [person, where, code] of codes) {
      const { status, body } = await person.get(`/classes/${where.id}/assignments/${id}`)
      expect([status, body.code]).toEqual([404, code])
    }
  })
})
