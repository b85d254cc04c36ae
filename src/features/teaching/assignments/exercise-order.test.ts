import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('shuffled exercises', (app) => {
  let teacher: Person
  let students: [Person, Person, Person]
  let schoolClass: TestClass

  beforeAll(async () => {
    const organization = await app.organization()
    teacher = await app.person('vera', { organization, role: 'teacher' })
    const named = (name: string) => app.person(name, { organization })
    students = [await named('pia'), await named('paul'), await named('pola')]
    schoolClass = await newClass(app, organization, { teachers: [teacher], students })
  })

  // Two random orders of twenty exercises are the same in one of 10^18 cases.
  const ids = Array.from({ length: 20 }, (_, index) => `e${index}`)
  const exercises = ids.map((id) => ({ id, type: 'noteNaming', prompt: id, notes: ['C4'] }))
  const worksheet = { type: 'worksheet', exercises, shuffleExercises: true }
  const orderFor = async (person: Person, assignment: { id: string }): Promise<string[]> =>
    (await person.get(`/classes/${schoolClass.id}/assignments/${assignment.id}`)).body.exercises.map(
      ({ id }: { id: string }) => id,
    )

  it('are in a stable order of each student, which the submission has', async () => {
    const assignment = await newAssignment(teacher, schoolClass, worksheet)
    const orders = await Promise.all(students.map((student) => orderFor(student, assignment)))
    for (const order of orders) expect(order.toSorted()).toEqual(ids.toSorted())
    expect(new Set(orders.map(String)).size).toBe(3)
    expect(await orderFor(teacher, assignment)).toEqual(ids)
    for (const [index, student] of students.entries()) {
      const submission = await newSubmission(student, schoolClass, assignment)
      expect(submission.exercisesIds).toEqual(orders[index])
      await newSubmission(student, schoolClass, assignment, { answers: [], submit: true })
      expect(await orderFor(student, assignment)).toEqual(orders[index])
    }
    const list = (await teacher.get(submissionsOf(schoolClass, assignment))).body
    expect(list.map((one: { exercisesIds: string[] }) => one.exercisesIds).sort()).toEqual(orders.sort())
  })

  it('are in one order for a group', async () => {
    await newSubGroup(teacher, schoolClass, 'Duo', students[0], students[1])
    const properties = { ...worksheet, submissionStudentsMode: 'group' }
    const assignment = await newAssignment(teacher, schoolClass, properties)
    const { exercisesIds } = await newSubmission(students[0], schoolClass, assignment)
    for (const student of students.slice(0, 2))
      expect(await orderFor(student, assignment)).toEqual(exercisesIds)
  })

  it('stay in the order of the student who sends one, and in that of the teacher without the option', async () => {
    const own = await newAssignment(teacher, schoolClass, worksheet)
    const reversed = ids.toReversed()
    await newSubmission(students[0], schoolClass, own, { exercisesIds: reversed })
    expect(await orderFor(students[0], own)).toEqual(reversed)
    const plain = await newAssignment(teacher, schoolClass, { type: 'worksheet', exercises })
    expect(await newSubmission(students[0], schoolClass, plain)).not.toHaveProperty('exercisesIds')
    expect(await orderFor(students[0], plain)).toEqual(ids)
  })
})
