import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('getGradebook', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('shows the state of each student in each assignment that is assigned to the student', async () => {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sol, sam] })
    const winds = await newSubGroup(tess, schoolClass, 'Winds', sol)
    const dueDate = '2020-01-01T00:00:00.000Z'
    await newAssignment(tess, schoolClass, { title: 'Draft', state: 'draft' })
    const all = await newAssignment(tess, schoolClass, { title: 'All', maxPoints: 10, dueDate })
    const some = await newAssignment(tess, schoolClass, { title: 'Some', classGroupIds: [winds] })
    const submission = await newSubmission(sam, schoolClass, all, { submit: true })
    await tess.put(`${submissionsOf(schoolClass, all)}/${submission.id}`, { grade: 8 })
    const { status, body } = await tess.get(`/classes/${schoolClass.id}/gradebook`)
    expect(status).toBe(200)
    expect(body.assignments).toEqual([
      { id: some.id, title: 'Some', state: 'active' },
      { id: all.id, title: 'All', state: 'active', dueDate, maxPoints: 10 },
    ])
    const graded = {
      assignment: all.id,
      submission: submission.id,
      state: 'graded',
      grade: 8,
      maxPoints: 10,
      late: true,
      missing: false,
    }
    expect(body.students).toEqual([
      { user: sam.id, username: 'sam', grades: [graded] },
      {
        user: sol.id,
        username: 'sol',
        grades: [
          { assignment: some.id, late: false, missing: false },
          { assignment: all.id, late: false, missing: true },
        ],
      },
    ])
  })

  it('names excused students, whose work is not missing, also to them, until they are excused no more', async () => {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sol, sam] })
    const dueDate = '2020-01-01T00:00:00.000Z'
    const given = await newAssignment(tess, schoolClass, { dueDate, type: 'newScore' })
    const path = `/classes/${schoolClass.id}/assignments/${given.id}`
    await newSubmission(sam, schoolClass, given)
    const cells = async () =>
      (await tess.get(`/classes/${schoolClass.id}/gradebook`)).body.students.map(
        ({ grades: [cell] }: { grades: { excused?: boolean; missing: boolean }[] }) => [
          cell?.excused,
          cell?.missing,
        ],
      )
    const homeOf = async () =>
      (await internalClient(await signedIn(app, sam)).get('/home-work')).body.learning.map(
        ({ id }: { id: string }) => id,
      )
    expect(await homeOf()).toContain(given.id)
    expect((await tess.put(path, { excusedStudents: [sam.id, sam.id] })).status).toBe(200)
    expect(await cells()).toEqual([
      [true, false],
      [undefined, true],
    ])
    const [ofTess, ofSam, ofSol] = await Promise.all(
      [tess, sam, sol].map(async (one) => (await one.get(path)).body),
    )
    expect([ofTess.excusedStudents, ofSam.excusedStudents, ofSol.excusedStudents]).toEqual([
      [sam.id],
      [sam.id],
      undefined,
    ])
    expect([ofTess.submissions[0].missing, ofSam.submissions[0].missing]).toEqual([false, false])
    expect(await homeOf()).not.toContain(given.id)
    const refused = await tess.put(path, { excusedStudents: [tess.id] })
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([
      400,
      'NOT_A_STUDENT',
      'excusedStudents',
    ])
    expect((await sam.put(path, { excusedStudents: [] })).body.code).toBe('ASSIGNMENT_ACCESS_DENIED')
    await tess.put(path, { excusedStudents: [] })
    expect(await cells()).toEqual([
      [undefined, true],
      [undefined, true],
    ])
  })

  it('has the weights of assignments, and the maximum of exercises', async () => {
    const { id, tess } = people
    const schoolClass = await newClass(app, id, { teachers: [tess] })
    const heavy = await newAssignment(tess, schoolClass, { title: 'Heavy', maxPoints: 5, weight: 2.5 })
    const choices = [
      { id: 'a', text: 'alto' },
      { id: 'b', text: 'oboe' },
    ]
    const exercise = { type: 'multipleChoice', choices, solution: ['a'] }
    const exercises = [
      { id: 'one', points: 2, ...exercise },
      { id: 'two', points: 3, ...exercise },
    ]
    await newAssignment(tess, schoolClass, { title: 'Exercises', type: 'worksheet', exercises })
    const { assignments } = (await tess.get(`/classes/${schoolClass.id}/gradebook`)).body
    expect(assignments).toMatchObject([
      { title: 'Exercises', maxPoints: 5 },
      { title: 'Heavy', maxPoints: 5, weight: 2.5 },
    ])
    const path = `/classes/${schoolClass.id}/assignments/${heavy.id}`
    for (const weight of [-1, 101, 'much']) {
      const { status, body } = await tess.put(path, { weight })
      expect([status, body.param]).toEqual([400, 'weight'])
    }
    expect((await tess.put(path, { weight: 1 })).body.weight).toBeUndefined()
  })

  it('shows a group submission for each member', async () => {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sol, sam] })
    await newSubGroup(tess, schoolClass, 'Duo', sol, sam)
    const assignment = await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' })
    const { id: submission } = await newSubmission(sam, schoolClass, assignment)
    const { students } = (await tess.get(`/classes/${schoolClass.id}/gradebook`)).body
    expect(students.map(({ grades }: { grades: { submission: string }[] }) => grades[0]?.submission)).toEqual(
      [submission, submission],
    )
  })

  it('returns pages of students', async () => {
    const { id, tess, sam, sol, theo } = people
    const una = await app.person('una', { organization: id })
    const schoolClass = await newClass(app, id, { teachers: [tess, theo], students: [una, sol, sam] })
    const first = await tess.get(`/classes/${schoolClass.id}/gradebook?limit=2`)
    expect(first.body.students.map(({ username }: { username: string }) => username)).toEqual(['sam', 'sol'])
    const next = /<[^>]*\/v2([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await tess.get(next)
    expect(second.body.students.map(({ username }: { username: string }) => username)).toEqual(['una'])
    expect(second.headers.get('link')).not.toContain('rel="next"')
    expect((await tess.get(`/classes/${schoolClass.id}/gradebook?next=x`)).body.param).toBe('next')
  })

  it('refuses students', async () => {
    const { id, tess, sam, tara } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    expect((await sam.get(`/classes/${schoolClass.id}/gradebook`)).body.code).toBe('CLASS_ACCESS_DENIED')
    expect((await tara.get(`/classes/${schoolClass.id}/gradebook`)).body.code).toBe('CLASS_NOT_FOUND')
  })
})
