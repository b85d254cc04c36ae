import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import {
  newClass,
  newSubGroup,
  setClassState,
  type TestClass,
  makeSchoolWithClass,
} from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('getSubmissionComments', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  async function begin(properties: object = {}): Promise<string> {
    const assignment = await newAssignment(people.tess, schoolClass, properties)
    const { id } = await newSubmission(people.sam, schoolClass, assignment)
    return `${submissionsOf(schoolClass, assignment)}/${id}`
  }
  const say = async (by: Person, at: string, comment: string) =>
    (await by.post(`${at}/comments`, { comment })).body
  const countsOf = async (person: Person, at: string) => (await person.get(at)).body.comments
  const listedTo = async (person: Person, at: string) =>
    (await person.get(`${at}/comments`)).body.map(
      ({ comment, unread }: { comment: string; unread: boolean }) => [comment, unread],
    )

  it('lists comments, oldest first', async () => {
    const { tess, sam } = people
    const at = await begin()
    const first = await say(sam, at, 'Done')
    const second = await say(tess, at, 'Good')
    const listed = (await sam.get(`${at}/comments`)).body
    expect(listed).toEqual([first, { ...second, unread: true }])
    expect(first).toMatchObject({
      user: sam.id,
      submission: at.split('/').at(-1),
      comment: 'Done',
      unread: false,
    })
  })

  it('counts unread comments for each user until the user has listed them', async () => {
    const { tess, theo, sam } = people
    const at = await begin()
    await say(sam, at, 'Done')
    await say(tess, at, 'Good')
    expect(await countsOf(sam, at)).toEqual({ total: 2, unread: 1 })
    expect(await countsOf(tess, at)).toEqual({ total: 2, unread: 1 })
    expect(await countsOf(theo, at)).toEqual({ total: 2, unread: 2 })
    expect(await listedTo(theo, at)).toEqual([
      ['Done', true],
      ['Good', true],
    ])
    expect(await listedTo(theo, at)).toEqual([
      ['Done', false],
      ['Good', false],
    ])
    expect(await countsOf(theo, at)).toEqual({ total: 2, unread: 0 })
    expect(await countsOf(sam, at)).toEqual({ total: 2, unread: 1 })
    await say(sam, at, 'Thanks')
    expect(await countsOf(theo, at)).toEqual({ total: 3, unread: 1 })
    expect(await countsOf(sam, at)).toEqual({ total: 3, unread: 1 })
  })

  it('is available to teachers and to the student of the submission', async () => {
    const { tess, theo, ada, sam, sol, tara } = people
    const at = await begin()
    for (const person of [tess, theo, ada, sam]) expect((await person.get(`${at}/comments`)).status).toBe(200)
    expect((await sol.get(`${at}/comments`)).body.code).toBe('SUBMISSION_NOT_FOUND')
    expect((await tara.get(`${at}/comments`)).body.code).toBe('CLASS_NOT_FOUND')
  })

  it('is available to all members of the group', async () => {
    const { id, tess, sam, sol } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    await newSubGroup(tess, other, 'Duo', sam, sol)
    const assignment = await newAssignment(tess, other, { submissionStudentsMode: 'group' })
    const { id: submission } = await newSubmission(sam, other, assignment)
    const at = `${submissionsOf(other, assignment)}/${submission}`
    await say(sam, at, 'Done')
    expect(await countsOf(sol, at)).toEqual({ total: 1, unread: 1 })
    expect(await listedTo(sol, at)).toEqual([['Done', true]])
  })

  it('works in an archived class', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other)
    const at = `${submissionsOf(other, assignment)}/${(await newSubmission(sam, other, assignment)).id}`
    await say(sam, at, 'Done')
    await setClassState(app, other, 'archived')
    expect(await listedTo(tess, at)).toEqual([['Done', true]])
    expect(await listedTo(tess, at)).toEqual([['Done', false]])
  })
})
