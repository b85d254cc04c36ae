import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeApp('listCollectionCollaborators', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('lists the owner and the collaborators, the oldest first, to every collaborator', async () => {
    const { tess, theo, sam } = people
    const id = await newCollection(app, tess, 'Concert')
    const ids = [
      await give(app, { on: 'collection', id }, { user: theo.id }, 'admin'),
      await give(
        app,
        { on: 'collection', id },
        { group: await newGroup(app, people.id, 'Choir', sam) },
        'read',
      ),
      await give(
        app,
        { on: 'collection', id },
        { email: 'nell@school.example', emailKey: 'nell@school.example' },
        'write',
      ),
    ]
    const { status, body } = await tess.get(`/collections/${id}/collaborators`)
    expect(status).toBe(200)
    expect(body.map((one: { id: string }) => one.id)).toEqual([tess.id, ...ids])
    expect(body).toMatchObject([
      { collection: id, user: { id: tess.id }, collaboratorType: 'owner', aclAdmin: true },
      { collection: id, user: { id: theo.id }, collaboratorType: 'user', aclAdmin: true },
      { collection: id, group: { name: 'Choir', usersCount: 1 }, collaboratorType: 'group', aclWrite: false },
      { collection: id, userEmail: 'nell@school.example', invited: true, aclWrite: true },
    ])
    for (const person of [theo, sam])
      expect((await person.get(`/collections/${id}/collaborators`)).body).toEqual(body)
    expect((await tess.get(`/collections/${id}`)).body.collaborators).toEqual(body)
    expect((await people.sol.get(`/collections/${id}/collaborators`)).status).toBe(404)
  })

  it('returns the owner for the collection of an app', async () => {
    expect((await people.tess.get('/collections/app/collaborators')).body).toHaveLength(1)
  })

  it.each(['root', 'allScores', 'trash'])('returns an empty list for %s', async (alias) => {
    expect((await people.tess.get(`/collections/${alias}/collaborators`)).body).toEqual([])
  })
})
