import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
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
