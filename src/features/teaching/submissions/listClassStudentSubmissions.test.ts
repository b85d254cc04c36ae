import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'

describeApp('listClassStudentSubmissions', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('lists only the submissions of the student in this class, individual and with groups', async () => {
    const { id, tess, ada, sam, sol } = people
    await newSubGroup(tess, schoolClass, 'Strings', sam, sol)
    const alone = await newSubmission(sam, schoolClass, await newAssignment(tess, schoolClass))
    const shared = await newSubmission(
      sol,
      schoolClass,
      await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' }),
    )
    await newSubmission(sol, schoolClass, await newAssignment(tess, schoolClass))
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    await newSubmission(sam, other, await newAssignment(tess, other))
    for (const person of [tess, ada]) {
      const { body } = await person.get(`/classes/${schoolClass.id}/students/${sam.id}/submissions`)
      expect(body).toEqual([alone, shared])
    }
  })

  it('returns 404 for a user who is not a student of the class', async () => {
    const { tess, tara, otto } = people
    for (const user of [tess.id, tara.id, otto.id, 'me', 'x']) {
      const { status, body } = await tess.get(`/classes/${schoolClass.id}/students/${user}/submissions`)
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  it('refuses students', async () => {
    const { sam, tara } = people
    const at = `/classes/${schoolClass.id}/students/${sam.id}/submissions`
    expect((await sam.get(at)).body.code).toBe('CLASS_ACCESS_DENIED')
    expect((await tara.get(at)).body.code).toBe('CLASS_NOT_FOUND')
  })
})
