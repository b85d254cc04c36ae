import { beforeAll, describe, expect, it } from 'vitest'
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
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('editSubmission', (app, databases) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  /** Creates a submission of Sam in the state turnedIn, and returns its path. */
  async function turnedIn(properties: object = {}): Promise<string> {
    const assignment = await newAssignment(people.tess, schoolClass, properties)
    const { id } = await newSubmission(people.sam, schoolClass, assignment, { submit: true })
    return `${submissionsOf(schoolClass, assignment)}/${id}`
  }
  const edit = (at: string, body: object) => people.tess.put(at, body)
  const statesOf = async (at: string) =>
    (await people.tess.get(`${at}/history`)).body.map(({ state }: { state: string }) => state)

  it('hides a draft grade from the student until it is returned as the grade', async () => {
    const at = await turnedIn({ maxPoints: 10 })
    expect((await edit(at, { draftGrade: 7 })).body).toMatchObject({ state: 'turnedIn', draftGrade: 7 })
    expect((await people.sam.get(at)).body).not.toHaveProperty('draftGrade')
    const returned = (await edit(at, { return: true })).body
    expect(returned).toMatchObject({
      state: 'returned',
      grade: 7,
      maxPoints: 10,
      returnCreator: people.tess.id,
      returnDate: expect.any(String),
    })
    expect(returned).not.toHaveProperty('draftGrade')
    expect((await people.sam.get(at)).body).toMatchObject({ state: 'returned', grade: 7 })
  })

  it('shows a grade immediately and discards an older draft', async () => {
    const at = await turnedIn()
    await edit(at, { draftGrade: 4 })
    expect((await edit(at, { grade: 6 })).body).toMatchObject({ state: 'graded', grade: 6 })
    expect((await people.sam.get(at)).body.grade).toBe(6)
    expect((await edit(at, { return: true })).body).toMatchObject({ state: 'returned', grade: 6 })
  })

  it('grades before it returns if the body asks for both', async () => {
    const at = await turnedIn()
    expect((await edit(at, { return: true, grade: 6, draftGrade: 2 })).body).toMatchObject({
      state: 'returned',
      grade: 6,
    })
    expect(await statesOf(at)).toEqual(['created', 'turnedIn', 'turnedIn', 'graded', 'returned'])
    expect((await edit(at, { grade: 8 })).body).toMatchObject({ state: 'returned', grade: 8 })
    const cleared = (await edit(at, { grade: null })).body
    expect(cleared.state).toBe('returned')
    for (const field of ['grade', 'maxPoints']) expect(cleared).not.toHaveProperty(field)
  })

  it('clears a draft with null', async () => {
    const at = await turnedIn()
    await edit(at, { draftGrade: 4 })
    expect((await edit(at, { draftGrade: null })).body).not.toHaveProperty('draftGrade')
    expect((await edit(at, { return: true })).body).not.toHaveProperty('grade')
  })

  it('keeps the maximum points of a grade when the assignment changes', async () => {
    const assignment = await newAssignment(people.tess, schoolClass, { maxPoints: 10 })
    const { id } = await newSubmission(people.sam, schoolClass, assignment)
    const at = `${submissionsOf(schoolClass, assignment)}/${id}`
    await edit(at, { grade: 9 })
    await app.ctx.transaction((tx) =>
      tx.updateTable('assignments').set({ max_points: 5 }).where('id', '=', assignment.id).execute(),
    )
    expect((await people.tess.get(at)).body).toMatchObject({ grade: 9, maxPoints: 10 })
    expect((await edit(at, { grade: 9 })).status).toBe(400)
  })

  it('keeps the maximum points of a draft for its return, alone or in a batch', async () => {
    const assignment = await newAssignment(people.tess, schoolClass, { maxPoints: 100 })
    const work = submissionsOf(schoolClass, assignment)
    const started = [
      await newSubmission(people.sam, schoolClass, assignment),
      await newSubmission(people.sol, schoolClass, assignment),
    ]
    const [single, withOthers] = started.map(({ id }) => `${work}/${id}`) as [string, string]
    for (const at of [single, withOthers]) await edit(at, { draftGrade: 80 })
    await people.tess.put(`/classes/${schoolClass.id}/assignments/${assignment.id}`, { maxPoints: 10 })
    expect((await edit(single, { return: true })).body).toMatchObject({ grade: 80, maxPoints: 100 })
    const submissions = started.map(({ id }) => id)
    await people.tess.post(`${work}/return`, { submissions })
    for (const at of [single, withOthers]) {
      expect((await people.tess.get(at)).body).toMatchObject({ state: 'returned', grade: 80, maxPoints: 100 })
    }
    expect((await edit(single, { draftGrade: 11 })).body.param).toBe('draftGrade')
  })

  it('uses the points of the exercises for a worksheet without maximum points', async () => {
    const exercises = [
      { id: 'one', type: 'noteNaming', notes: ['C4', 'D4'], points: 3 },
      { id: 'two', type: 'noteNaming', notes: ['E4'] },
    ]
    const answers = [{ exercise: 'one', answer: ['C', 'E'] }]
    const assignment = await newAssignment(people.tess, schoolClass, { type: 'worksheet', exercises })
    const { id } = await newSubmission(people.sam, schoolClass, assignment, { answers, submit: true })
    const at = `${submissionsOf(schoolClass, assignment)}/${id}`
    expect((await edit(at, { return: true })).body).toMatchObject({ grade: 1.5, maxPoints: 4 })
    expect((await edit(at, { grade: 4.5 })).body.param).toBe('grade')
    expect((await edit(at, { grade: 3.5 })).body).toMatchObject({ grade: 3.5, maxPoints: 4 })
    await people.tess.put(`/classes/${schoolClass.id}/assignments/${assignment.id}`, { maxPoints: 20 })
    expect((await edit(at, { grade: 15 })).body).toMatchObject({ grade: 15, maxPoints: 20 })
  })

  it.each([
    [{ grade: 10.5 }, 'grade'],
    [{ draftGrade: 11 }, 'draftGrade'],
    [{ grade: -1 }, 'grade'],
    [{ grade: 10_001 }, 'grade'],
    [{ grade: '5' }, 'grade'],
    [{ return: false }, 'return'],
    [{ return: false, grade: 5 }, 'return'],
  ])('rejects %j', async (body, param) => {
    const at = await turnedIn({ maxPoints: 10 })
    const reply = await edit(at, body)
    expect([reply.status, reply.body.param]).toEqual([400, param])
    expect(await statesOf(at)).toEqual(['created', 'turnedIn'])
  })

  it.each([
    ['attachments', []],
    ['playback', []],
    ['submit', true],
    ['submit', false],
    ['exercisesIds', null],
    ['answers', []],
  ])('rejects %s from a teacher', async (field, value) => {
    const at = await turnedIn()
    const { status, body } = await edit(at, { grade: 5, [field]: value })
    expect([status, body.code, body.param]).toEqual([403, 'SUBMISSION_FIELD_DENIED', field])
    expect(await statesOf(at)).toEqual(['created', 'turnedIn'])
  })

  it('changes nothing for an empty body', async () => {
    const at = await turnedIn()
    const before = (await people.tess.get(at)).body
    expect((await edit(at, {})).body).toEqual(before)
    expect(await statesOf(at)).toEqual(['created', 'turnedIn'])
  })

  it('is refused in an archived class', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other)
    const submission = await newSubmission(sam, other, assignment)
    await setClassState(app, other, 'archived')
    expect((await edit(`${submissionsOf(other, assignment)}/${submission.id}`, { grade: 1 })).body.code).toBe(
      'CLASS_ARCHIVED',
    )
  })

  describe('a rubric', () => {
    const rubric = {
      criteria: [
        { id: 'rhythm', title: 'Rhythm', points: 6 },
        { id: 'pitch', title: 'Pitch', points: 4 },
      ],
    }
    const points = (rhythm: number, pitch: number) => [
      { criterion: 'rhythm', points: rhythm },
      { criterion: 'pitch', points: pitch },
    ]

    it('sets the grade to the sum of its criteria unless the body has a grade', async () => {
      const at = await turnedIn({ maxPoints: 10, rubric })
      expect((await edit(at, { rubric: points(5, 2.5) })).body).toMatchObject({ state: 'graded', grade: 7.5 })
      const overridden = (await edit(at, { rubric: points(6, 4), grade: 9, return: true })).body
      expect(overridden).toMatchObject({ state: 'returned', grade: 9, rubric: points(6, 4) })
      expect((await people.sam.get(at)).body.rubric).toEqual(points(6, 4))
      expect((await edit(at, { grade: null })).body).not.toHaveProperty('rubric')
    })

    it('is removed by a new grade without a rubric', async () => {
      const at = await turnedIn({ maxPoints: 10, rubric })
      await edit(at, { rubric: points(5, 2) })
      const graded = (await edit(at, { grade: 1 })).body
      expect(graded).toMatchObject({ state: 'graded', grade: 1 })
      expect(graded).not.toHaveProperty('rubric')
    })

    it('belongs to the draft if the body has one, and is hidden from the student until the return', async () => {
      const { sam } = people
      const at = await turnedIn({ maxPoints: 10, rubric })
      await edit(at, { rubric: points(1, 1) })
      const drafted = (await edit(at, { draftGrade: 9, rubric: points(6, 3) })).body
      expect(drafted).toMatchObject({ state: 'graded', grade: 2, rubric: points(1, 1) })
      expect(drafted).toMatchObject({ draftGrade: 9, draftRubric: points(6, 3) })
      const seen = (await sam.get(at)).body
      expect(seen).toMatchObject({ grade: 2, rubric: points(1, 1) })
      for (const field of ['draftGrade', 'draftRubric']) expect(seen).not.toHaveProperty(field)
      const returned = (await edit(at, { return: true })).body
      expect(returned).toMatchObject({ state: 'returned', grade: 9, rubric: points(6, 3) })
      for (const field of ['draftGrade', 'draftRubric']) expect(returned).not.toHaveProperty(field)
      expect((await sam.get(at)).body).toMatchObject({ grade: 9, rubric: points(6, 3) })
    })

    it('is removed with its draft when the draft is replaced or cleared', async () => {
      const at = await turnedIn({ maxPoints: 10, rubric })
      await edit(at, { draftGrade: 9, rubric: points(6, 3) })
      expect((await edit(at, { draftGrade: 8 })).body).not.toHaveProperty('draftRubric')
      await edit(at, { draftGrade: 9, rubric: points(6, 3) })
      expect((await edit(at, { draftGrade: null })).body).not.toHaveProperty('draftRubric')
      expect((await edit(at, { return: true })).body).not.toHaveProperty('rubric')
    })

    it.each([{ grade: 5 }, { draftGrade: 5 }])('is validated together with %j', async (grades) => {
      const at = await turnedIn({ maxPoints: 10, rubric })
      const { status, body } = await edit(at, {
        ...grades,
        rubric: [{ criterion: 'nonsense', points: 9999 }],
      })
      expect([status, body.param]).toEqual([400, 'rubric.0.criterion'])
      expect(await statesOf(at)).toEqual(['created', 'turnedIn'])
    })

    it('is refused without a grade or a draft that it can belong to', async () => {
      const { status, body } = await edit(await turnedIn({ rubric }), { grade: null, rubric: points(1, 1) })
      expect([status, body.param]).toEqual([400, 'rubric'])
    })

    it.each([
      [[{ criterion: 'tone', points: 1 }], 'rubric.0.criterion'],
      [[{ criterion: 'pitch', points: 5 }], 'rubric.0.points'],
      [[...points(1, 1), { criterion: 'pitch', points: 1 }], 'rubric.2.criterion'],
    ])('is refused if it does not match the assignment: %j', async (wrong, param) => {
      const { status, body } = await edit(await turnedIn({ rubric }), { rubric: wrong })
      expect([status, body.param]).toEqual([400, param])
    })

    it('is refused if its sum exceeds the maximum points of the assignment', async () => {
      const { status, body } = await edit(await turnedIn({ maxPoints: 8, rubric }), { rubric: points(6, 4) })
      expect([status, body.param]).toEqual([400, 'rubric'])
    })
  })

  it('loses no grade and writes a consistent history when two teachers grade concurrently on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const [tess, theo] = await Promise.all(
        ['tess', 'theo'].map((name) => app.person(name, { organization, role: 'teacher' })),
      )
      const sam = await app.person('sam', { organization })
      if (!tess || !theo) throw new Error('no teachers')
      const schoolClass = await newClass(app, organization, { teachers: [tess, theo], students: [sam] })
      const assignment = await newAssignment(tess, schoolClass)
      const { id } = await newSubmission(sam, schoolClass, assignment, { submit: true })
      const at = `${submissionsOf(schoolClass, assignment)}/${id}`
      const grades = Array.from({ length: 6 }, (_, n) => n + 1)
      const replies = await Promise.all(
        grades.map((grade) => (grade % 2 ? tess : there(theo)).put(at, { grade })),
      )
      expect(replies.map(({ status }) => status)).toEqual(grades.map(() => 200))
      const history = (await tess.get(`${at}/history`)).body.slice(2)
      const recorded: number[] = history.map(({ grade }: { grade: number }) => grade)
      expect([...recorded].sort()).toEqual(grades)
      expect((await tess.get(at)).body).toMatchObject({ state: 'graded', grade: recorded.at(-1) })
      const users = history.map(({ users: [user] }: { users: string[] }) => user)
      expect(users).toEqual(recorded.map((grade) => (grade % 2 ? tess.id : theo.id)))
    })
  })

  it('writes a consistent history when a submission is turned in and returned concurrently on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const tess = await app.person('tess', { organization, role: 'teacher' })
      const sam = await app.person('sam', { organization })
      const schoolClass = await newClass(app, organization, { teachers: [tess], students: [sam] })
      const assignments = await Promise.all([1, 2, 3, 4].map(() => newAssignment(tess, schoolClass)))
      for (const assignment of assignments) {
        const { id } = await newSubmission(sam, schoolClass, assignment, { submit: true })
        const work = submissionsOf(schoolClass, assignment)
        await Promise.all([
          sam.put(work, { submit: true }),
          there(tess).put(`${work}/${id}`, { draftGrade: 5, return: true }),
          there(sam).put(work, { submit: true }),
        ])
        const history = (await tess.get(`${work}/${id}/history`)).body
        const last = history.at(-1)
        const now = (await tess.get(`${work}/${id}`)).body
        expect(history.map(({ state }: { state: string }) => state).sort()).toEqual(
          ['created', 'returned', 'turnedIn', 'turnedIn', 'turnedIn', 'turnedIn'].sort(),
        )
        expect(now).toMatchObject({ state: last.state, grade: 5 })
      }
    })
  })
})
