import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, setClassState } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import type { Person } from '../../../../test/support/people.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { homeWorkOf } from './home-work.ts'

describeApp('listHomeWork', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const homeOf = async (person: Person) =>
    (await internalClient(await signedIn(app, person)).get('/home-work')).body
  const titles = (list: { title: string }[]) => list.map(({ title }) => title).sort()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

  it('lists what a student has to do and what came back, and what waits for the teacher', async () => {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const give = (title: string, more: object = {}) =>
      newAssignment(tess, schoolClass, { title, type: 'newScore', maxPoints: 10, ...more })
    await give('To do', { dueDate: inDays(3) })
    await give('Late', { dueDate: inDays(-3) })
    await give('To read', { type: 'none' })
    await give('Draft', { state: 'draft' })
    await give('For Sol', { assignedStudents: [sol.id] })
    const handedIn = await give('Handed in')
    await newSubmission(sam, schoolClass, handedIn, { submit: true })
    const back = await give('Back')
    const { id: submission } = await newSubmission(sam, schoolClass, back, { submit: true })
    await tess.put(`${submissionsOf(schoolClass, back)}/${submission}`, { grade: 8, return: true })

    const ofSam = await homeOf(sam)
    expect(titles(ofSam.learning)).toEqual(['Back', 'Late', 'To do'])
    expect(ofSam.teaching).toEqual([])
    const returned = ofSam.learning.find(({ title }: { title: string }) => title === 'Back')
    expect([returned.state, returned.grade, returned.maxPoints, returned.class.id]).toEqual([
      'returned',
      8,
      10,
      schoolClass.id,
    ])
    const ofTess = await homeOf(tess)
    expect(ofTess.learning).toEqual([])
    expect(
      ofTess.teaching.map(({ title, toReview }: { title: string; toReview: number }) => [title, toReview]),
    ).toEqual([
      ['Handed in', 1],
      ['To do', 0],
    ])
  })

  it('shows no draft of a grade, and nothing of classes that are not active or of other users', async () => {
    const { id, theo, sol, otto, tara } = people
    const schoolClass = await newClass(app, id, { teachers: [theo], students: [sol] })
    const given = await newAssignment(theo, schoolClass, { title: 'Scale', type: 'newScore', maxPoints: 10 })
    const { id: submission } = await newSubmission(sol, schoolClass, given)
    await theo.put(`${submissionsOf(schoolClass, given)}/${submission}`, { draftGrade: 3 })
    const [own] = (await homeOf(sol)).learning.filter(({ title }: { title: string }) => title === 'Scale')
    expect([own.state, own.grade]).toEqual(['created', null])
    expect(await homeOf(tara)).toEqual({ learning: [], teaching: [] })
    expect(await homeOf(otto)).toEqual({ learning: [], teaching: [] })
    await setClassState(app, schoolClass, 'archived')
    expect(titles((await homeOf(sol)).learning)).not.toContain('Scale')
    expect((await homeOf(theo)).teaching).toEqual([])
  })

  it('needs as many queries for many classes as for one', async () => {
    const uma = await app.person('uma', { organization: people.id, role: 'teacher' })
    const una = await app.person('una', { organization: people.id, role: 'user' })
    const actorOf = ({ id }: Person, organizationRole: 'teacher' | 'user') =>
      ({ id, organization: people.id, organizationRole, access: { isDelegated: false } }) as never
    const addClass = async () => {
      const schoolClass = await newClass(app, people.id, { teachers: [uma], students: [una] })
      const given = await newAssignment(uma, schoolClass, { type: 'newScore', dueDate: inDays(2) })
      await newSubmission(una, schoolClass, given)
    }
    const queriesNeeded = () =>
      Promise.all(
        [actorOf(uma, 'teacher'), actorOf(una, 'user')].map((actor) =>
          queriesOf(app.ctx.db.read, (queries) => homeWorkOf(queries, actor, app.ctx.clock.now())),
        ),
      )
    await addClass()
    const ofOne = await queriesNeeded()
    for (let n = 0; n < 4; n++) await addClass()
    expect(await queriesNeeded()).toEqual(ofOne)
    expect((await homeOf(una)).learning).toHaveLength(5)
    expect((await homeOf(uma)).teaching).toHaveLength(5)
  })
})
