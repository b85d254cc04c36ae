import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('returnSubmissions', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('returns all submissions that are turned in or graded, and turns drafts into grades', async () => {
    const { tess, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass)
    const at = submissionsOf(schoolClass, assignment)
    const turnedIn = await newSubmission(sam, schoolClass, assignment, { submit: true })
    const started = await newSubmission(sol, schoolClass, assignment)
    await tess.put(`${at}/${turnedIn.id}`, { draftGrade: 5 })
    const { status, body } = await tess.post(`${at}/return`, {})
    expect(status).toBe(200)
    expect(body).toMatchObject([{ id: turnedIn.id, state: 'returned', grade: 5, returnCreator: tess.id }])
    expect((await tess.get(`${at}/${started.id}`)).body.state).toBe('created')
    expect((await tess.get(`${at}/${turnedIn.id}/history`)).body.at(-1)).toMatchObject({
      state: 'returned',
      grade: 5,
    })
    expect((await tess.post(`${at}/return`, {})).body).toEqual([])
  })

  it('returns all of the listed submissions or none', async () => {
    const { tess, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass)
    const at = submissionsOf(schoolClass, assignment)
    const one = await newSubmission(sam, schoolClass, assignment)
    await newSubmission(sol, schoolClass, assignment, { submit: true })
    const none = await tess.post(`${at}/return`, { submissions: [one.id, '0123456789abcdef01234567'] })
    expect([none.status, none.body.code, none.body.param]).toEqual([
      404,
      'SUBMISSION_NOT_FOUND',
      'submissions',
    ])
    expect((await tess.get(at)).body.map(({ state }: { state: string }) => state)).toEqual([
      'created',
      'turnedIn',
    ])
    expect((await tess.post(`${at}/return`, { submissions: [one.id] })).body).toMatchObject([
      { state: 'returned' },
    ])
  })

  it('returns the submissions of a class of 300 in one request', async () => {
    const { id, tess } = people
    const large = await newClass(app, id, { teachers: [tess] })
    const assignment = await newAssignment(tess, large)
    await storeStudents(app, id, large, 300, assignment)
    const { body } = await tess.post(`${submissionsOf(large, assignment)}/return`, {})
    expect(body).toHaveLength(300)
    expect(
      new Set(body.map(({ state, grade }: { state: string; grade: number }) => `${state} ${grade}`)),
    ).toEqual(new Set(['returned 1']))
  })
})
