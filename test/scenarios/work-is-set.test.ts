import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../support/app.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { walkingClients, walks } from '../support/official-client.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'

describeApp('a teacher sets work, by the official client', (app) => {
  const { clientOf, walked } = walkingClients(app)
  let people: School
  let klass: TestClass
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    klass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam, people.sol] })
    score = (await people.tess.post('/scores', emptyPiano('Waltz'))).body.id
  })

  it('prepares an assignment, which students find when it is published', async () => {
    const ofTess = clientOf(people.tess).classes
    const ofSam = clientOf(people.sam).classes
    const _class = klass.id
    const made = await ofTess.createClassAssignment({
      _class,
      body: {
        title: 'Finish the waltz',
        type: 'scoreTemplate',
        descriptionHtml: '<p>Write the <b>second</b> half.</p>',
        dueDate: new Date('2030-01-01T10:00:00Z'),
        attachments: [{ type: 'flat', score, sharingMode: 'copy' }],
      },
    })
    expect(made).toMatchObject({ description: 'Write the second half.', capabilities: { canEdit: true } })
    expect(await ofSam.listAssignments({ _class })).toEqual([])
    expect(await ofTess.listAssignments({ _class })).toMatchObject([{ id: made.id, state: 'draft', submissions: [] }])
    const published = await ofTess.createClassAssignment({ _class, body: { title: 'Listen', state: 'active' } })
    expect((await ofSam.listAssignments({ _class })).map(({ id }) => id)).toEqual([published.id])
  })

  it('has walked what it says', () => {
    expect([...walked]).toEqual(expect.arrayContaining([...walks['work-is-set']]))
  })
})
