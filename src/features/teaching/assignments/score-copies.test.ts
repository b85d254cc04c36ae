import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { newFolder, newResource, newResourceWithScore } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

/** Checks the scores of an assignment that is copied from a library or a class to a library or a class. */
describeApp('the scores of a copied assignment', (app) => {
  let people: School
  let schoolClass: TestClass
  let other: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, theo, sam, sol } = people
    schoolClass = await newClass(app, people.id, { teachers: [tess, theo], students: [sam] })
    other = await newClass(app, people.id, { teachers: [theo], students: [sol] })
  })

  const newScore = async (person: Person, body: object = emptyPiano()): Promise<string> =>
    (await person.post('/scores', body)).body.id
  const ways = {
    'from a library into a library': async (person: Person, resource: string) =>
      (await person.post(`/eduResources/${resource}/copy`, { destination: 'root' })).body.resource,
    'from a library into a class': async (person: Person, resource: string) =>
      (await person.post(`/eduResources/${resource}/useInClass`, { classroom: schoolClass.id })).body,
  }
  const newSet = async (person: Person, attachments: object[], at = schoolClass) =>
    (await newAssignment(person, at, { type: 'scoreTemplate', attachments })).id
  const copyOf = (person: Person, assignment: string, body: object, at = schoolClass) =>
    person.post(`/classes/${at.id}/assignments/${assignment}/copy`, body)

  describe('have the attached revision and the default track', () => {
    let tess: Person
    let score: string
    let first: string

    beforeAll(async () => {
      tess = people.tess
      score = await newScore(tess, { title: 'Waltz', data: musicXml() })
      first = (await tess.get(`/scores/${score}/revisions/last`)).body.id
      const data = musicXml({ measures: ['G4 G4 G4 G4', 'A4 A4 A4 A4', 'B4 B4 B4 B4'] })
      expect((await tess.post(`/scores/${score}/revisions`, { data })).status).toBe(200)
      await newTrack(app, score, { is_default: 1, title: 'Backing' })
    })

    const attachment = () => ({ type: 'flat', score, revision: first, sharingMode: 'copy' })
    const expectCopy = async (person: Person, copy: string) => {
      expect(copy).not.toBe(score)
      expect((await person.get(`/scores/${copy}`)).body).toMatchObject({ numberMeasures: 1, title: 'Waltz' })
      const json = async (id: string, revision: string) =>
        Buffer.from((await tess.get(`/scores/${id}/revisions/${revision}/json`)).bytes).toString()
      if (person === tess) expect(await json(copy, 'last')).toBe(await json(score, first))
      const tracks = (await person.get(`/scores/${copy}/tracks`)).body as unknown as { title: string }[]
      expect(tracks.map(({ title }) => title)).toEqual(['Backing'])
    }

    it.each(Object.entries(ways))('%s', async (_, copy) => {
      const resource = await newResource(tess)
      await tess.put(`/eduResources/${resource}/assignment`, { attachments: [attachment()] })
      const { attachments } = await copy(tess, resource)
      await expectCopy(tess, attachments[0].score)
      expect(attachments[0]).not.toHaveProperty('revision')
    })

    it('from a class to a library or a class', async () => {
      const assignment = await newSet(tess, [attachment()])
      for (const body of [{ libraryParent: 'root' }, { classroom: schoolClass.id }]) {
        await expectCopy(tess, (await copyOf(tess, assignment, body)).body.attachments[0].score)
      }
    })

    it('for a student who starts a submission', async () => {
      const assignment = await newSet(tess, [attachment()])
      const submission = await newSubmission(people.sam, schoolClass, { id: assignment })
      await expectCopy(people.sam, submission.attachments[0].score)
    })
  })

  it('are independent: no class can edit or delete the scores of another', async () => {
    const { tess, theo, sam, sol } = people
    const score = await newScore(tess)
    const assignment = await newSet(tess, [{ score, sharingMode: 'write' }])
    const { body } = await copyOf(theo, assignment, { classroom: other.id })
    const copy = body.attachments[0].score
    expect((await theo.get(`/scores/${copy}`)).body.rights.aclAdmin).toBe(true)
    await theo.put(`/classes/${other.id}/assignments/${body.id}`, { state: 'active' })
    const rightsOf = async (person: Person, id: string) =>
      (await person.get(`/scores/${id}`)).body.rights?.aclWrite
    expect(await Promise.all([rightsOf(sam, score), rightsOf(sol, copy)])).toEqual([true, true])
    expect(await Promise.all([rightsOf(sol, score), rightsOf(sam, copy)])).toEqual([undefined, undefined])
    await tess.delete(`/scores/${score}?now=true`)
    await app.jobsDone()
    expect(await rightsOf(sol, copy)).toBe(true)
  })

  it('are all copied, or the copy is refused with the missing score', async () => {
    const { tess, theo } = people
    const [remaining, deleted] = [await newScore(tess), await newScore(tess)]
    const attachments = [remaining, deleted].map((score) => ({ score, sharingMode: 'copy' }))
    const resource = await newResource(tess, 'Waltz', 'organization')
    await tess.put(`/eduResources/${resource}/assignment`, { attachments })
    const assignment = await newSet(tess, attachments)
    await tess.delete(`/scores/${deleted}`)
    for (const [person, status, code] of [
      [tess, 409, 'SCORE_TRASHED'],
      [theo, 404, 'SCORE_NOT_FOUND'],
    ] as const) {
      for (const reply of [
        await person.post(`/eduResources/${resource}/copy`, { destination: 'root' }),
        await person.post(`/eduResources/${resource}/useInClass`, { classroom: schoolClass.id }),
        await copyOf(person, assignment, { libraryParent: 'root' }),
        await copyOf(person, assignment, { classroom: schoolClass.id }),
      ]) {
        expect([reply.status, reply.body.code, reply.body.param]).toEqual([
          status,
          code,
          'attachments.1.score',
        ])
      }
    }
  })

  it('are left out of a folder if they cannot be copied, and copied once if attached repeatedly', async () => {
    const { tess, theo } = people
    const folder = await newFolder(tess, 'Winter', 'organization')
    const [remaining, deleted] = [await newScore(tess), await newScore(tess)]
    for (const title of ['A', 'B', 'C']) {
      const resource = await newResource(tess, title, folder)
      const attachments = [remaining, deleted].map((score) => ({ score, sharingMode: 'copy' }))
      await tess.put(`/eduResources/${resource}/assignment`, { attachments })
    }
    await tess.delete(`/scores/${deleted}`)
    const copy = (await theo.post(`/eduResources/${folder}/copy`, { destination: 'root' })).body.id
    const { body } = await theo.get(`/eduResources?parent=${copy}`)
    const copied = (body as unknown as { resource: { attachments: { score: string }[] } }[]).map(
      ({ resource }) => resource.attachments.map(({ score }) => score),
    )
    const [score] = copied[0] ?? []
    expect(score).not.toBe(remaining)
    expect(copied).toEqual([[score], [score], [score]])
  })

  it('are limited together with the resources of one request', async () => {
    const { tess } = people
    const folder = await newFolder(tess)
    let scores = 0
    const fill = async (count: number) => {
      const resource = await newResource(tess, 'Many', folder)
      const created = await Promise.all(Array.from({ length: count }, () => newScore(tess)))
      scores += created.length
      await tess.put(`/eduResources/${resource}/assignment`, {
        attachments: created.map((score) => ({ score })),
      })
    }
    const copy = () => tess.post(`/eduResources/${folder}/copy`, { destination: 'organization' })
    for (const count of [50, 50, 50, 45]) await fill(count)
    expect([scores + 5, (await copy()).status]).toEqual([200, 200])
    await newResource(tess, 'One more', folder)
    expect((await copy()).body.code).toBe('TOO_MANY_RESOURCES')
  }, 120_000)

  it('are copied to the own library if other users attached them', async () => {
    const { theo, ada } = people
    const { id, score } = await newResourceWithScore(theo, await newScore(theo), 'organization')
    const own = await newScore(ada)
    const attachments = [
      { score, sharingMode: 'copy' },
      { score: own, sharingMode: 'copy' },
    ]
    await ada.put(`/eduResources/${id}/assignment`, { attachments })
    const { body } = await ada.post(`/eduResources/${id}/move`, { destination: 'root' })
    const [copied, unchanged] = body.resource.attachments
    expect(unchanged.score).toBe(own)
    expect(copied.score).not.toBe(score)
    expect((await ada.get(`/scores/${copied.score}`)).body.user.id).toBe(ada.id)
    expect((await ada.get(`/scores/${score}`)).status).toBe(404)
    const copy = await ada.post(`/eduResources/${id}/copy`, { destination: 'root' })
    expect(copy.body.resource.attachments).toHaveLength(2)
  })

  it('are deleted when a draft is filled again, unless they are used otherwise', async () => {
    const { tess } = people
    const { id } = await newResourceWithScore(tess, await newScore(tess))
    const draft = (await newAssignment(tess, schoolClass, { state: 'draft' })).id
    const fill = async (): Promise<string> => {
      const { body } = await tess.post(`/eduResources/${id}/useInClass`, {
        classroom: schoolClass.id,
        assignment: draft,
      })
      return body.attachments[0].score
    }
    const statusOf = async (score: string) => (await tess.get(`/scores/${score}`)).status
    const first = await fill()
    const second = await fill()
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    await tess.post(`/scores/${second}/revisions`, { data: musicXml() })
    const third = await fill()
    expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200])
    // The score is also attached to another assignment.
    await newSet(tess, [{ score: third }])
    const fourth = await fill()
    expect([await statusOf(third), await statusOf(fourth)]).toEqual([200, 200])
    await tess.put(`/scores/${fourth}`, { title: 'Mine' })
    await fill()
    expect(await statusOf(fourth)).toBe(200)
    // A score that the teacher attached is never deleted.
    const attached = await newScore(tess)
    await tess.put(`/classes/${schoolClass.id}/assignments/${draft}`, { attachments: [{ score: attached }] })
    await fill()
    expect(await statusOf(attached)).toBe(200)
  })
})
