import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

describeApp('the recordings of a performance', (app) => {
  let people: School
  let schoolClass: TestClass
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    score = (await tess.post('/scores', emptyPiano('Étude'))).body.id
  })

  const assign = (properties: object = {}) =>
    newAssignment(people.tess, schoolClass, {
      type: 'performance',
      attachments: [{ score, sharingMode: 'performance' }],
      ...properties,
    })
  const play = (by: Person) => newTrack(app, score, { creator_id: by.id, purpose: 'performanceSubmission' })
  const handIn = async (by: Person, assignment: { id: string }): Promise<string[]> => {
    const { attachments } = await newSubmission(by, schoolClass, assignment, { submit: true })
    return attachments.map(({ track }: { track?: string }) => track)
  }

  it('exclude those made before the assignment and those handed in with another submission', async () => {
    const { sam } = people
    await play(sam)
    const [first, second] = [await assign(), await assign()]
    expect(await handIn(sam, first)).toEqual([])
    const ofFirst = await play(sam)
    expect(await handIn(sam, first)).toEqual([ofFirst])
    expect(await handIn(sam, second)).toEqual([])
    const ofSecond = await play(sam)
    expect(await handIn(sam, second)).toEqual([ofSecond])
    expect(await handIn(sam, first)).toEqual([ofFirst])
  })

  it('exclude those made before a reset', async () => {
    const { tess, sam } = people
    const assignment = await assign()
    await play(sam)
    const { id } = await newSubmission(sam, schoolClass, assignment, { submit: true })
    await tess.delete(`${submissionsOf(schoolClass, assignment)}/${id}`)
    expect(await handIn(sam, assignment)).toEqual([])
    const again = await play(sam)
    expect(await handIn(sam, assignment)).toEqual([again])
  })

  it('include the newest one of each member of the group', async () => {
    const { tess, sam, sol } = people
    const assignment = await assign({ submissionStudentsMode: 'group' })
    await newSubGroup(tess, schoolClass, 'Duo', sam, sol)
    await play(sam)
    const ofSam = await play(sam)
    expect(await handIn(sam, assignment)).toEqual([ofSam])
    const ofSol = await play(sol)
    expect(await handIn(sol, assignment)).toEqual([ofSam, ofSol])
    for (const track of [ofSam, ofSol]) {
      expect((await tess.get(`/scores/${score}/tracks/${track}`)).status).toBe(200)
    }
  })
})
