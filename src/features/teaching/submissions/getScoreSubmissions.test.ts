import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('getScoreSubmissions', (app) => {
  let people: School
  let schoolClass: TestClass
  let other: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, tara, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    other = await newClass(app, id, { teachers: [tara], students: [sam] })
  })

  const idsFor = async (person: Person, score: string) =>
    (await person.get(`/scores/${score}/submissions`)).body.map(({ id }: { id: string }) => id)

  it('lists only the submissions that the caller can see', async () => {
    const { tess, tara, ada, sam, sol } = people
    const score = (await sam.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
    const attachments = [{ score }]
    const one = await newSubmission(sam, schoolClass, await newAssignment(tess, schoolClass), { attachments })
    const two = await newSubmission(sol, schoolClass, await newAssignment(tess, schoolClass), { attachments })
    const three = await newSubmission(sam, other, await newAssignment(tara, other), { attachments })
    await newSubmission(sam, schoolClass, await newAssignment(tess, schoolClass))
    expect(await idsFor(sam, score)).toEqual([one.id, three.id])
    expect(await idsFor(sol, score)).toEqual([two.id])
    expect(await idsFor(tess, score)).toEqual([one.id, two.id])
    expect(await idsFor(tara, score)).toEqual([three.id])
    expect(await idsFor(ada, score)).toEqual([one.id, two.id, three.id])
    expect(await idsFor(people.theo, score)).toEqual([])
    await setClassState(app, other, 'inactive')
    expect(await idsFor(sam, score)).toEqual([one.id])
    await setClassState(app, other, 'active')
  })

  it('lists nothing for a teacher of the class who has become a student', async () => {
    const { id, tess, sam } = people
    const tilo = await app.person('tilo', { organization: id, role: 'teacher' })
    const sharedClass = await newClass(app, id, { teachers: [tess, tilo], students: [sam] })
    const score = (await sam.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
    const submission = await newSubmission(sam, sharedClass, await newAssignment(tess, sharedClass), {
      attachments: [{ score }],
    })
    expect(await idsFor(tess, score)).toEqual([submission.id])
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ organization_role: 'user' }).where('id', '=', tilo.id).execute(),
    )
    expect(await idsFor(tilo, score)).toEqual([])
  })

  it('lists the submission of a copy, and shows draft grades only to teachers', async () => {
    const { tess, sam } = people
    const assignment = await newAssignment(tess, schoolClass, { type: 'newScore' })
    const submission = await newSubmission(sam, schoolClass, assignment)
    await tess.put(`${submissionsOf(schoolClass, assignment)}/${submission.id}`, { draftGrade: 3 })
    const at = `/scores/${submission.attachments[0].score}/submissions`
    expect((await tess.get(at)).body).toMatchObject([{ id: submission.id, draftGrade: 3 }])
    expect((await sam.get(at)).body).toEqual([submission])
  })

  it('requires read access to the score', async () => {
    const { sam, sol, otto } = people
    const score = (await sam.post('/scores', emptyPiano())).body.id
    expect((await sam.get(`/scores/${score}/submissions`)).body).toEqual([])
    for (const person of [sol, otto]) {
      expect((await person.get(`/scores/${score}/submissions`)).body.code).toBe('SCORE_NOT_FOUND')
    }
  })
})
