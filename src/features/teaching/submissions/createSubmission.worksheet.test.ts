import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { makeSchoolWithClass, type TestClass } from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('createSubmission for a worksheet', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  const assign = (properties: object) => newAssignment(people.tess, schoolClass, properties)

  const exercises = [
    { id: 'one', type: 'noteNaming', notes: ['C4', 'D4'], points: 2 },
    { id: 'two', type: 'multipleChoice', choices: [{ id: 'a', text: 'A' }], solution: ['a'], points: 2 },
  ]
  const answers = [
    { exercise: 'one', answer: ['C', 'E'] },
    { exercise: 'two', answer: ['a'] },
  ]

  it('is graded when it is turned in, if the assignment releases grades automatically', async () => {
    const assignment = await assign({ type: 'worksheet', exercises, maxPoints: 20, releaseGrades: 'auto' })
    const saved = await newSubmission(people.sam, schoolClass, assignment, {
      answers,
      exercisesIds: ['two', 'one'],
    })
    expect(saved).toMatchObject({ state: 'created', answers, exercisesIds: ['two', 'one'] })
    const turnedIn = await newSubmission(people.sam, schoolClass, assignment, { submit: true })
    expect(turnedIn).toMatchObject({
      state: 'graded',
      grade: 15,
      maxPoints: 20,
      submissionDate: expect.any(String),
    })
    const history = (
      await people.tess.get(`${submissionsOf(schoolClass, assignment)}/${turnedIn.id}/history`)
    ).body
    expect(history).toMatchObject([
      { state: 'created', users: [people.sam.id] },
      { state: 'turnedIn', users: [people.sam.id] },
      { state: 'graded', users: [], grade: 15, maxPoints: 20 },
    ])
    expect(history[1]).not.toHaveProperty('grade')
    expect(
      await newSubmission(people.sam, schoolClass, assignment, { exercisesIds: null }),
    ).not.toHaveProperty('exercisesIds')
  })

  it('otherwise gets a draft grade that the student cannot see', async () => {
    const assignment = await assign({ type: 'worksheet', exercises })
    const turnedIn = await newSubmission(people.sam, schoolClass, assignment, { answers, submit: true })
    expect(turnedIn.state).toBe('turnedIn')
    expect(JSON.stringify(turnedIn)).not.toMatch(/grade/i)
    const seen = (await people.tess.get(`${submissionsOf(schoolClass, assignment)}/${turnedIn.id}`)).body
    expect(seen).toMatchObject({ state: 'turnedIn', draftGrade: 3 })
  })

  it('is graded again when it is turned in again, but only with a draft after a teacher has graded it', async () => {
    const { sam, tess } = people
    const assignment = await assign({ type: 'worksheet', exercises, releaseGrades: 'auto' })
    const { id } = await newSubmission(sam, schoolClass, assignment, { answers, submit: true })
    const at = `${submissionsOf(schoolClass, assignment)}/${id}`
    const better = [...answers.slice(1), { exercise: 'one', answer: ['C', 'D'] }]
    const sendAgain = (sent: object[]) =>
      newSubmission(sam, schoolClass, assignment, { answers: sent, submit: true })
    expect(await sendAgain(better)).toMatchObject({ state: 'graded', grade: 4, maxPoints: 4 })
    await tess.put(at, { return: true })
    expect(await sendAgain(answers)).toMatchObject({ state: 'graded', grade: 3 })

    await tess.put(at, { grade: 1 })
    expect(await sendAgain(better)).toMatchObject({ state: 'turnedIn', grade: 1 })
    expect((await tess.get(at)).body).toMatchObject({ state: 'turnedIn', grade: 1, draftGrade: 4 })
    await tess.put(at, { return: true })
    expect(await sendAgain(answers)).toMatchObject({ state: 'turnedIn', grade: 4 })
    expect((await tess.get(at)).body).toMatchObject({ grade: 4, draftGrade: 3 })

    await tess.put(at, { grade: null })
    expect(await sendAgain(answers)).toMatchObject({ state: 'graded', grade: 3 })
  })

  it('does not show its solutions to students', async () => {
    const assignment = await assign({ type: 'worksheet', exercises })
    const at = `/classes/${schoolClass.id}/assignments/${assignment.id}`
    const withoutSolutions = exercises.map(({ solution: _, ...exercise }) => exercise)
    expect((await people.sam.get(at)).body.exercises).toEqual(withoutSolutions)
    expect((await people.tess.get(at)).body.exercises).toEqual(exercises)
  })

  it('rejects answers and exercise ids that are too long to store', async () => {
    const assignment = await assign({ type: 'worksheet', exercises })
    const long = Array.from({ length: 40 }, (_, n) => ({ exercise: `${n}`, answer: ['x'.repeat(1000)] }))
    const { status, body } = await people.sam.put(submissionsOf(schoolClass, assignment), {
      answers: long,
    })
    expect([status, body.param]).toEqual([400, 'answers'])
  })
})
