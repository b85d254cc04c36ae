import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import {
  newClass,
  setClassState,
  type TestClass,
  makeSchoolWithClass,
} from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('getSubmission', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  it('returns the submission to its student, the teachers and the administrators', async () => {
    const { tess, theo, ada, sam, sol, tara } = people
    const assignment = await newAssignment(tess, schoolClass)
    const submission = await newSubmission(sam, schoolClass, assignment)
    const at = `${submissionsOf(schoolClass, assignment)}/${submission.id}`
    for (const person of [sam, tess, theo, ada]) expect((await person.get(at)).body).toEqual(submission)
    expect((await sol.get(at)).body.code).toBe('SUBMISSION_NOT_FOUND')
    expect((await tara.get(at)).body.code).toBe('CLASS_NOT_FOUND')
  })

  it('returns 404 under another assignment', async () => {
    const { tess, sam } = people
    const [one, other] = [await newAssignment(tess, schoolClass), await newAssignment(tess, schoolClass)]
    const { id } = await newSubmission(sam, schoolClass, one)
    for (const wrong of [id, 'x', '0123456789abcdef01234567']) {
      expect((await tess.get(`${submissionsOf(schoolClass, other)}/${wrong}`)).body.code).toBe(
        'SUBMISSION_NOT_FOUND',
      )
    }
  })

  it('is readable in an archived class, and only for teachers in a class that is not active', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other)
    const at = `${submissionsOf(other, assignment)}/${(await newSubmission(sam, other, assignment)).id}`
    await setClassState(app, other, 'archived')
    for (const person of [tess, sam]) expect((await person.get(at)).status).toBe(200)
    await setClassState(app, other, 'inactive')
    expect((await tess.get(at)).status).toBe(200)
    expect((await sam.get(at)).status).toBe(404)
  })

  it('returns 404 to a student that the assignment is no longer assigned to', async () => {
    const { tess, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass, { assignedStudents: [sam.id] })
    const at = `${submissionsOf(schoolClass, assignment)}/${(await newSubmission(sam, schoolClass, assignment)).id}`
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('assignment_students')
        .set({ user_id: sol.id })
        .where('assignment_id', '=', assignment.id)
        .execute(),
    )
    expect((await sam.get(at)).body.code).toBe('ASSIGNMENT_NOT_FOUND')
    expect((await tess.get(at)).status).toBe(200)
  })
})

describeApp('performanceAssessments of a submission', (app) => {
  it('are declared in the interface without a method', async () => {
    const sam = await app.person('sam')
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const { status, headers, body } = await sam.request(
        method,
        '/classes/1/assignments/2/submissions/3/performanceAssessments',
      )
      expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'OPTIONS'])
    }
  })
})
