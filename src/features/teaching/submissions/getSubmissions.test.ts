import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { composeSubmissionsTo } from './compose.ts'

describeApp('getSubmissions', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  const idsIn = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id)

  it('lists all submissions for teachers and administrators, and only their own for students', async () => {
    const { tess, ada, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass)
    const at = submissionsOf(schoolClass, assignment)
    for (const person of [tess, sam]) expect((await person.get(at)).body).toEqual([])
    const of = {
      sol: await newSubmission(sol, schoolClass, assignment),
      sam: await newSubmission(sam, schoolClass, assignment),
    }
    for (const person of [tess, ada]) expect(idsIn(await person.get(at))).toEqual([of.sol.id, of.sam.id])
    expect((await sam.get(at)).body).toEqual([of.sam])
    expect((await sol.get(at)).body).toEqual([of.sol])
  })

  it('are included in the assignment', async () => {
    const { tess, sam, sol } = people
    const [one, other] = [await newAssignment(tess, schoolClass), await newAssignment(tess, schoolClass)]
    const submission = await newSubmission(sam, schoolClass, one)
    await newSubmission(sol, schoolClass, one)
    const at = `/classes/${schoolClass.id}/assignments`
    const submitted = async (person: typeof sam, assignment: { id: string }) => {
      const listed = (await person.get(at)).body.find(({ id }: { id: string }) => id === assignment.id)
      const { body } = await person.get(`${at}/${assignment.id}`)
      expect(body).toEqual(listed)
      return body.submissions
    }
    expect(await submitted(sam, one)).toEqual([submission])
    expect(await submitted(tess, one)).toHaveLength(2)
    for (const person of [tess, sam]) expect(await submitted(person, other)).toEqual([])
  })

  it('marks late and missing submissions', async () => {
    const { tess, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass, { dueDate: '2020-01-01T00:00:00.000Z' })
    expect(await newSubmission(sam, schoolClass, assignment)).toMatchObject({ late: false, missing: true })
    expect(await newSubmission(sol, schoolClass, assignment, { submit: true })).toMatchObject({
      late: true,
      missing: false,
    })
    const later = await newAssignment(tess, schoolClass, { dueDate: '2090-01-01T00:00:00.000Z' })
    expect(await newSubmission(sol, schoolClass, later, { submit: true })).toMatchObject({
      late: false,
      missing: false,
    })
  })

  it('excludes submissions of users who were removed from the organization', async () => {
    const { tess, ada, sam } = people
    const una = await app.person(`una${app.ctx.newId().slice(-20)}`, { organization: people.id })
    await tess.put(`/classes/${schoolClass.id}/users/${una.id}`)
    const assignment = await newAssignment(tess, schoolClass)
    const submission = await newSubmission(sam, schoolClass, assignment)
    const { id } = await newSubmission(una, schoolClass, assignment)
    await ada.delete(`/organizations/users/${una.id}`)
    expect(idsIn(await tess.get(submissionsOf(schoolClass, assignment)))).toEqual([submission.id])
    expect((await tess.get(`${submissionsOf(schoolClass, assignment)}/${id}`)).status).toBe(404)
  })

  it('needs the same number of queries for 2,000 submissions as for one', async () => {
    const { id, tess, sam } = people
    const large = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, large)
    const submission = await newSubmission(sam, large, assignment, {
      attachments: [{ url: 'https://example.com/' }],
    })
    await sam.post(`${submissionsOf(large, assignment)}/${submission.id}/comments`, { comment: 'Done' })
    const relation = { role: 'teacher', isAdministrator: false } as const
    const of = { id: assignment.id, class_id: large.id }
    const count = () =>
      queriesOf(app.ctx.db.read, (queries) => composeSubmissionsTo(app.ctx, queries, tess.id, relation, [of]))
    const one = await count()
    expect(one).toBe(3)
    await storeStudents(app, id, large, 2000, assignment)
    expect(await count()).toBe(one)
    expect((await tess.get(submissionsOf(large, assignment))).body).toHaveLength(2001)
  })
})
