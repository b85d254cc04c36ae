import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeApp('listScoreAccess', (app) => {
  let people: School
  let tess: Client
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = internalClient(await signedIn(app, people.tess))
    score = (await people.tess.post('/scores', emptyPiano())).body.id
  })

  it('names those who have access through a collection, and their rights', async () => {
    const { body: collection } = await people.tess.post('/collections', { title: 'Concert' })
    await people.tess.put(`/collections/${collection.id}/scores/${score}`)
    const target = { on: 'collection', id: collection.id } as const
    await give(app, target, { user: people.theo.id }, 'admin')
    const group = await newGroup(app, people.id, 'Band', people.sam)
    await give(app, target, { group }, 'read')
    const entry = { way: 'collection', title: 'Concert', people: null }
    expect((await tess.get(`/scores/${score}/access`)).body).toEqual([
      { ...entry, who: 'theo', right: 'write' },
      { ...entry, who: 'Band', right: 'read' },
    ])
  })

  it('names the assignments that share a score', async () => {
    const shared = (await people.tess.post('/scores', emptyPiano())).body.id
    const schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
    await newAssignment(people.tess, schoolClass, {
      title: 'Scales',
      state: 'active',
      attachments: [{ type: 'flat', score: shared, sharingMode: 'read' }],
    })
    const { body } = await tess.get(`/scores/${shared}/access`)
    expect(body).toContainEqual(expect.objectContaining({ way: 'assignment', title: 'Scales', who: null }))
  })

  it('needs the right to administer the score', async () => {
    await give(app, { on: 'score', id: score }, { user: people.tara.id }, 'write')
    const tara = internalClient(await signedIn(app, people.tara))
    expect((await tara.get(`/scores/${score}/access`)).status).toBe(403)
  })
})
