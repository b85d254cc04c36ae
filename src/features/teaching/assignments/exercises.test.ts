import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { durationOf } from './exercises.ts'

describeApp('the exercises of an assignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess] })
  })

  const choices = [
    { id: 'a', text: 'alto' },
    { id: 'b', text: 'oboe' },
  ]
  const right = [
    { id: 'one', type: 'multipleChoice', choices, solution: ['a'] },
    { id: 'two', type: 'multipleChoice', choices, solution: [] },
    { id: 'three', type: 'noteNaming', notes: ['C4'] },
    { id: 'four', type: 'rhythm', solution: ['3/8', '1/8', 'r1/4'] },
  ]

  it('are stored if each can be answered', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, { type: 'worksheet', exercises: right })
    expect(
      (await people.tess.get(`/classes/${schoolClass.id}/assignments/${id}`)).body.exercises,
    ).toMatchObject(right)
  })

  it.each([
    [{ type: 'multipleChoice', solution: [] }, 'choices'],
    [{ type: 'multipleChoice', choices: [], solution: [] }, 'choices'],
    [{ type: 'multipleChoice', choices: [...choices, choices[0]], solution: ['a'] }, 'choices.2.id'],
    [{ type: 'multipleChoice', choices, solution: ['a', 'c'] }, 'solution.1'],
    [{ type: 'multipleChoice', choices, solution: ['a', 'a'] }, 'solution.1'],
    [{ type: 'noteNaming' }, 'notes'],
    [{ type: 'noteNaming', notes: [] }, 'notes'],
    [{ type: 'rhythm' }, 'solution'],
    [{ type: 'rhythm', solution: ['1/4', '1/4.'] }, 'solution.1'],
    [{ type: 'rhythm', solution: ['1/0'] }, 'solution.0'],
  ])('are refused if one cannot be answered: %j', async (exercise, field) => {
    const { tess } = people
    const exercises = [...right, { id: 'five', ...exercise }]
    const { id } = await newAssignment(tess, schoolClass, { type: 'worksheet' })
    const at = `/classes/${schoolClass.id}/assignments`
    for (const reply of [
      await tess.put(`${at}/${id}`, { exercises }),
      await tess.post(at, { title: 'Waltz', exercises }),
    ]) {
      expect([reply.status, reply.body.param]).toEqual([400, `exercises.4.${field}`])
    }
    expect((await tess.get(`${at}/${id}`)).body).not.toHaveProperty('exercises')
  })
})

describe('a duration', () => {
  it('is a fraction of a whole note, with the prefix r for a rest', () => {
    expect(durationOf('1/4')).toEqual({ isRest: false, length: 0.25 })
    expect(durationOf(' r3/8 ')).toEqual({ isRest: true, length: 0.375 })
  })

  it.each(['', '1', '1/4.', '1/0', '0/4', '-1/4', 'x1/4', '1000/4'])('is invalid: %j', (text) => {
    expect(durationOf(text)).toBeUndefined()
  })
})
