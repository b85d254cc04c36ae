import { FlatNotFoundError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../support/app.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { recordingClients, scenarioOperations } from '../support/official-client.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'

describeApp('setting work with the official client', (app) => {
  const { clientOf, called } = recordingClients(app)
  let people: School
  let schoolClass: TestClass
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, {
      teachers: [people.tess],
      students: [people.sam, people.sol],
    })
    score = (await people.tess.post('/scores', emptyPiano('Waltz'))).body.id
  })

  it('prepares an assignment, which students see after it is published', async () => {
    const ofTess = clientOf(people.tess).classes
    const ofSam = clientOf(people.sam).classes
    const _class = schoolClass.id
    const created = await ofTess.createClassAssignment({
      _class,
      body: {
        title: 'Finish the waltz',
        type: 'scoreTemplate',
        descriptionHtml: '<p>Write the <b>second</b> half.</p>',
        dueDate: new Date('2030-01-01T10:00:00Z'),
        attachments: [{ type: 'flat', score, sharingMode: 'copy' }],
      },
    })
    expect(created).toMatchObject({ description: 'Write the second half.', capabilities: { canEdit: true } })
    expect(await ofSam.listAssignments({ _class })).toEqual([])
    expect(await ofTess.listAssignments({ _class })).toMatchObject([
      { id: created.id, state: 'draft', submissions: [] },
    ])
    const published = await ofTess.createClassAssignment({
      _class,
      body: { title: 'Listen', state: 'active' },
    })
    expect((await ofSam.listAssignments({ _class })).map(({ id }) => id)).toEqual([published.id])
  })

  it('changes, copies, archives and deletes an assignment', async () => {
    const { classes: ofTess } = clientOf(people.tess)
    const _class = schoolClass.id
    const { id: assignment } = await ofTess.createClassAssignment({
      _class,
      body: { title: 'Sing', state: 'active' },
    })
    const one = { _class, assignment }
    expect(await ofTess.updateClassAssignment({ ...one, body: { maxPoints: 10 } })).toMatchObject({
      maxPoints: 10,
    })
    expect(await ofTess.getAssignment(one)).toMatchObject({ title: 'Sing', maxPoints: 10 })
    const copy = await ofTess.copyAssignment({ ...one, body: { classroom: schoolClass.id } })
    expect(copy).toMatchObject({ title: 'Sing', maxPoints: 10 })
    expect((await ofTess.archiveAssignment(one)).capabilities).toMatchObject({
      canEdit: false,
      canUnarchive: true,
    })
    expect((await ofTess.unarchiveAssignment(one)).capabilities).toMatchObject({
      canEdit: true,
      canUnarchive: false,
    })
    await ofTess.deleteAssignment({ _class, assignment: copy.id })
    await expect(ofTess.getAssignment({ _class, assignment: copy.id })).rejects.toBeInstanceOf(
      FlatNotFoundError,
    )
  })

  it('has called every operation on its list', () => {
    expect([...called]).toEqual(expect.arrayContaining([...scenarioOperations['setting-work']]))
  })
})
