import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('a submission that was turned in', (app) => {
  let people: School
  let schoolClass: TestClass
  let template: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    template = (await tess.post('/scores', emptyPiano('Template'))).body.id
  })

  const assign = () =>
    newAssignment(people.tess, schoolClass, {
      attachments: [{ score: template, sharingMode: 'copy' }],
      maxPoints: 10,
    })
  const newest = async (by: Person, score: string) => (await by.get(`/scores/${score}/revisions`)).body[0].id
  /** Saves a new revision of a score and returns its id. */
  async function write(by: Person, score: string, title: string): Promise<string> {
    const { status, body } = await by.post(`/scores/${score}/revisions`, { data: musicXml({ title }) })
    expect(status).toBe(200)
    return body.id
  }
  const revisions = ({ attachments }: { attachments: { revision?: string }[] }) =>
    attachments.map(({ revision }) => revision)

  it('refers to the submitted revision until it is reclaimed or turned in again, while the score changes', async () => {
    const { tess, sam } = people
    const assignment = await assign()
    const own = (await sam.post('/scores', emptyPiano('Mine'))).body.id
    const submission = await newSubmission(sam, schoolClass, assignment, { attachments: [{ score: own }] })
    expect(revisions(submission)).toEqual([undefined, undefined])
    const copy = submission.attachments[0].score
    const first = [await newest(sam, copy), await newest(sam, own)]
    const at = `${submissionsOf(schoolClass, assignment)}/${submission.id}`
    const seen = async () => revisions((await tess.get(at)).body)

    expect(revisions(await newSubmission(sam, schoolClass, assignment, { submit: true }))).toEqual(first)
    const second = [await write(sam, copy, 'Second'), await write(sam, own, 'Second')]
    expect(await seen()).toEqual(first)
    // The teacher can read both the submitted revision and the latest one.
    for (const revision of ['last', first[0]]) {
      expect((await tess.get(`/scores/${copy}/revisions/${revision}/json`)).status).toBe(200)
    }
    expect(await newest(tess, copy)).toBe(second[0])

    const again = await newSubmission(sam, schoolClass, assignment, { submit: true })
    expect(revisions(again)).toEqual(second)
    const reclaimed = await newSubmission(sam, schoolClass, assignment, { submit: false })
    expect([reclaimed.state, ...revisions(reclaimed)]).toEqual(['created', undefined, undefined])

    await newSubmission(sam, schoolClass, assignment, { submit: true })
    await tess.put(at, { grade: 8 })
    await tess.put(at, { return: true })
    const third = [await write(sam, copy, 'Third'), await write(sam, own, 'Third')]
    expect(await seen()).toEqual(second)
    // Clients send existing attachments back.
    const { attachments } = (await tess.get(at)).body
    expect(revisions(await newSubmission(sam, schoolClass, assignment, { attachments }))).toEqual(second)
    expect(
      revisions(await newSubmission(sam, schoolClass, assignment, { attachments, submit: true })),
    ).toEqual(third)

    const history = (await tess.get(`${at}/history`)).body
    const handedIn = history.filter(({ state }: { state: string }) => state === 'turnedIn')
    expect(handedIn.map((row: { attachment: object }) => row.attachment)).toMatchObject(
      [first, second, second, third].map(([revision]) => ({ score: copy, revision })),
    )
    expect(revisions((await tess.delete(at)).body)).toEqual([])
  })

  it('refers to the revision that the student chose', async () => {
    const { sam } = people
    const assignment = await newAssignment(people.tess, schoolClass)
    const score = (await sam.post('/scores', emptyPiano('Mine'))).body.id
    const revision = await newest(sam, score)
    await write(sam, score, 'Later')
    const body = { attachments: [{ score, revision }], submit: true }
    expect(revisions(await newSubmission(sam, schoolClass, assignment, body))).toEqual([revision])
    const reclaimed = await newSubmission(sam, schoolClass, assignment, { submit: false })
    expect(revisions(reclaimed)).toEqual([revision])
  })

  it('has the credits that were edited before it, in the copies of a template too', async () => {
    const { tess, sam } = people
    await tess.put(`/scores/${template}`, { composer: 'Of the template' })
    const assignment = await assign()
    const own = (await sam.post('/scores', emptyPiano('Mine'))).body.id
    await sam.put(`/scores/${own}`, { composer: 'Of the student' })
    const body = { attachments: [{ score: own }], submit: true }
    const { attachments } = await newSubmission(sam, schoolClass, assignment, body)
    const files = (attachments as { score: string; revision: string }[]).map(({ score, revision }) =>
      tess.get(`/scores/${score}/revisions/${revision}/xml`),
    )
    const texts = (await Promise.all(files)).map(({ bytes }) => Buffer.from(bytes).toString())
    expect(texts).toEqual([
      expect.stringContaining('Of the template'),
      expect.stringContaining('Of the student'),
    ])
  })

  it('protects its copies from deletion by the student', async () => {
    const { tess, sam } = people
    const assignment = await assign()
    const { id, attachments } = await newSubmission(sam, schoolClass, assignment, { submit: true })
    const copy = attachments[0].score
    for (const query of ['', '?now=true']) {
      const { status, body } = await sam.delete(`/scores/${copy}${query}`)
      expect([status, body.code]).toEqual([409, 'SCORE_OF_SUBMISSION'])
    }
    expect((await tess.get(`/scores/${copy}`)).status).toBe(200)
    await tess.delete(`${submissionsOf(schoolClass, assignment)}/${id}`)
    expect((await sam.get(`/scores/${copy}`)).status).toBe(404)
    const own = (await sam.post('/scores', emptyPiano('Mine'))).body.id
    await newSubmission(sam, schoolClass, assignment, { attachments: [{ score: own }], submit: true })
    expect((await sam.delete(`/scores/${own}`)).status).toBe(204)
  })
})
