import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { type SubmissionCandidate, effectiveSubmissions } from './effective-submission.ts'

describe('effectiveSubmissions', () => {
  const row = (id: string, overrides: Partial<SubmissionCandidate> = {}): SubmissionCandidate => ({
    id,
    assignment_id: 'waltz',
    group_id: null,
    of_named_group: 0,
    ...overrides,
  })
  const alone = row('1')
  const withOlder = row('4', { group_id: 'a' })
  const withYounger = row('2', { group_id: 'b' })
  const withNamed = row('3', { group_id: 'c', of_named_group: 1 })

  it('prefers the assigned group, then the oldest group, then the oldest submission', () => {
    expect(effectiveSubmissions([alone, withYounger, withNamed, withOlder])).toEqual([withNamed])
    expect(effectiveSubmissions([alone, withYounger, withOlder])).toEqual([withOlder])
    expect(effectiveSubmissions([row('5'), alone])).toEqual([alone])
    expect(effectiveSubmissions([])).toEqual([])
  })

  it('returns one submission for each assignment and keeps the order', () => {
    const other = row('0', { assignment_id: 'polka' })
    expect(effectiveSubmissions([withOlder, other, alone])).toEqual([withOlder, other])
  })
})

describeApp('the effective submission of a student with several submissions', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const group = { submissionStudentsMode: 'group' }
  const classOf = (...students: Person[]) => newClass(app, people.id, { teachers: [people.tess], students })
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  /** Returns the group of the class that the group of a submission was made from. */
  const parentOf = async (submission: { group?: string }): Promise<string> =>
    (await people.tess.get(`/groups/${submission.group}`)).body.parent

  /** Returns the submission that each endpoint reports as the student's. */
  async function reportedIds(
    schoolClass: TestClass,
    assignment: { id: string },
    student: Person,
  ): Promise<unknown> {
    const { tess } = people
    const at = `/classes/${schoolClass.id}`
    const work = submissionsOf(schoolClass, assignment)
    const listed = (await student.get(`${at}/assignments`)).body
    const { students } = (await tess.get(`${at}/gradebook`)).body
    const own = students.find(({ user }: { user: string }) => user === student.id)
    const [, ...rows]: string[][] = parse(Buffer.from((await tess.get(`${work}/csv`)).bytes), { bom: true })
    return {
      list: ids((await student.get(work)).body),
      assignments: ids(listed.find(({ id }: { id: string }) => id === assignment.id).submissions),
      assignment: ids((await student.get(`${at}/assignments/${assignment.id}`)).body.submissions),
      ofStudent: ids((await tess.get(`${at}/students/${student.id}/submissions`)).body),
      gradebook: own.grades.map(({ submission }: { submission: string }) => submission),
      csvDraft: rows.find(([, , username]) => username === student.username)?.[10],
      continued: (await student.put(work, {})).body.id,
    }
  }
  /**
   * The expected result of `reported` if every endpoint reports this submission. The draft grade identifies
   * it in the CSV.
   */
  const reportedAll = (id: string, draft: number) => ({
    list: [id],
    assignments: [id],
    assignment: [id],
    ofStudent: [id],
    gradebook: [id],
    csvDraft: `${draft}`,
    continued: id,
  })

  it('is the group submission on every endpoint as soon as there is one', async () => {
    const { tess, sam, sol } = people
    const schoolClass = await classOf(sam, sol)
    const duo = await newSubGroup(tess, schoolClass, 'Duo', sol)
    const assignment = await newAssignment(tess, schoolClass, group)
    const work = submissionsOf(schoolClass, assignment)
    const alone = await newSubmission(sam, schoolClass, assignment)
    await tess.post(`/groups/${duo}/users`, { user: sam.id })
    await tess.put(`${work}/${alone.id}`, { draftGrade: 1 })
    expect(await reportedIds(schoolClass, assignment, sam)).toEqual(reportedAll(alone.id, 1))
    const together = await newSubmission(sol, schoolClass, assignment)
    await tess.put(`${work}/${together.id}`, { draftGrade: 2 })
    for (const student of [sam, sol])
      expect(await reportedIds(schoolClass, assignment, student)).toEqual(reportedAll(together.id, 2))
    expect(ids((await tess.get(work)).body)).toEqual([alone.id, together.id])
  })

  it('is that of the oldest group unless the assignment is assigned to another one', async () => {
    const { tess, sam, sol, id } = people
    const suri = await app.person('suri', { organization: id })
    const schoolClass = await classOf(sam, sol, suri)
    const older = await newSubGroup(tess, schoolClass, 'Winds', sam, sol)
    const younger = await newSubGroup(tess, schoolClass, 'Brass', sam, suri)
    const assignment = await newAssignment(tess, schoolClass, group)
    const work = submissionsOf(schoolClass, assignment)
    const ofYounger = await newSubmission(suri, schoolClass, assignment)
    const ofOlder = await newSubmission(sol, schoolClass, assignment)
    expect([await parentOf(ofOlder), await parentOf(ofYounger)]).toEqual([older, younger])
    await tess.put(`${work}/${ofOlder.id}`, { draftGrade: 3 })
    await tess.put(`${work}/${ofYounger.id}`, { draftGrade: 4 })
    expect(await reportedIds(schoolClass, assignment, sam)).toEqual(reportedAll(ofOlder.id, 3))
    await tess.put(`/classes/${schoolClass.id}/assignments/${assignment.id}`, {
      classGroupIds: [younger],
      assigneeMode: 'everyone',
    })
    expect(await reportedIds(schoolClass, assignment, sam)).toEqual(reportedAll(ofYounger.id, 4))
  })

  it('is created for the oldest group, regardless of the names of the groups', async () => {
    const { tess, sam } = people
    const schoolClass = await classOf(sam)
    const older = await newSubGroup(tess, schoolClass, 'Winds', sam)
    await newSubGroup(tess, schoolClass, 'Brass', sam)
    const assignment = await newAssignment(tess, schoolClass, group)
    expect(await parentOf(await newSubmission(sam, schoolClass, assignment))).toBe(older)
  })
})
