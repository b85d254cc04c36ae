import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newGroup, withoutOwner } from '../../../../test/support/sharing.ts'

describeApp('addCollectionCollaborator', (app) => {
  let people: School
  let tess: Person
  let theo: Person
  let sam: Person
  let id: string

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, theo, sam } = people)
    id = await newCollection(app, tess, 'Concert')
  })

  const add = (by: Person, body: object, collection = id) =>
    by.post(`/collections/${collection}/collaborators`, body)
  const visibleTo = async (person: Person, collection = id) =>
    (await person.get(`/collections/${collection}`)).body

  it('gives read access by default', async () => {
    expect((await theo.get(`/collections/${id}`)).status).toBe(404)
    const { status, body } = await add(tess, { user: theo.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ collection: id, user: { id: theo.id }, aclRead: true, aclWrite: false })
    expect(body.score).toBeUndefined()
    expect(await visibleTo(theo)).toMatchObject({
      title: 'Concert',
      user: { id: tess.id },
      rights: {
        aclRead: true,
        aclWrite: false,
        aclAdmin: false,
        isCollaborator: true,
        collaboratorType: 'user',
      },
      capabilities: {
        canEdit: false,
        canShare: false,
        canDelete: false,
        canAddScores: false,
        canDeleteScores: false,
      },
      collaborators: [{ collaboratorType: 'owner' }, body],
    })
  })

  it.each<[object, object]>([
    [{ aclWrite: true }, { canEdit: true, canShare: false, canDelete: false, canAddScores: true }],
    [{ aclAdmin: true }, { canEdit: true, canShare: true, canDelete: false, canAddScores: true }],
    [{}, { canEdit: false, canShare: false, canDelete: false, canAddScores: false }],
  ])('changes the level of an existing collaborator: %j', async (rights, capabilities) => {
    const before = (await visibleTo(tess)).collaborators.length
    await add(tess, { user: theo.id, ...rights })
    const collection = await visibleTo(theo)
    expect(collection.capabilities).toMatchObject({ ...capabilities })
    expect(collection.collaborators).toHaveLength(before)
  })

  it('gives access to all members of a group; a member with several grants has the strongest', async () => {
    const shared = await newCollection(app, tess, 'For the choir')
    const choir = await newGroup(app, people.id, 'Choir', sam, people.sol)
    await add(tess, { group: choir }, shared)
    await add(tess, { user: sam.id, aclWrite: true }, shared)
    expect((await visibleTo(people.sol, shared)).rights).toMatchObject({
      aclWrite: false,
      collaboratorType: 'group',
    })
    expect((await visibleTo(sam, shared)).rights).toMatchObject({ aclWrite: true, collaboratorType: 'user' })
    await add(tess, { group: choir, aclAdmin: true }, shared)
    expect((await visibleTo(sam, shared)).rights).toMatchObject({ aclAdmin: true, collaboratorType: 'group' })
  })

  it('invites an address that no account has yet', async () => {
    const shared = await newCollection(app, tess, 'Later')
    const { body } = await add(tess, { userEmail: 'nell@school.example', aclWrite: true }, shared)
    expect(body).toMatchObject({
      collection: shared,
      invited: true,
      isCollaborator: false,
      userEmail: 'nell@school.example',
    })
  })

  it('requires an administrator of the collection', async () => {
    const shared = await newCollection(app, tess, 'Ours')
    await add(tess, { user: theo.id, aclWrite: true }, shared)
    const refused = await add(theo, { user: sam.id }, shared)
    expect([refused.status, refused.body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    await add(tess, { user: theo.id, aclAdmin: true }, shared)
    expect((await add(theo, { user: sam.id }, shared)).status).toBe(200)
    expect((await visibleTo(sam, shared)).title).toBe('Ours')
  })

  it('accepts the same recipients as for a score', async () => {
    const refusal = async (body: object) => {
      const { status, body: answer } = await add(tess, body)
      return [status, answer.code, answer.param]
    }
    expect(await refusal({ user: people.abel.id })).toEqual([404, 'USER_NOT_FOUND', 'user'])
    expect(await refusal({ user: people.otto.id })).toEqual([403, 'COLLABORATOR_OUT_OF_REACH', 'user'])
    expect(await refusal({ user: tess.id })).toEqual([403, 'OWNER_KEEPS_RIGHTS', 'user'])
    expect(await refusal({ group: '0123456789abcdef01234567' })).toEqual([404, 'GROUP_NOT_FOUND', 'group'])
    expect(await refusal({})).toEqual([400, 'INVALID_PARAMETER', 'user'])
  })

  it('refuses collections of apps, virtual collections and collections in the trash', async () => {
    await tess.post('/scores', emptyPiano())
    const appCollection = (await tess.get('/collections/app')).body.id
    for (const collection of [appCollection, 'root', 'allScores', 'trash']) {
      const { status, body } = await add(tess, { user: theo.id }, collection)
      expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    }
    const trashed = await newCollection(app, tess, 'Gone')
    await tess.delete(`/collections/${trashed}`)
    const { status, body } = await add(tess, { user: theo.id }, trashed)
    expect([status, body.code]).toEqual([409, 'COLLECTION_TRASHED'])
  })

  it('creates one collaborator when several requests add the same user simultaneously', async () => {
    const shared = await newCollection(app, tess, 'Race')
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => add(tess, { user: sam.id, aclWrite: true }, shared)),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(withoutOwner((await visibleTo(tess, shared)).collaborators)).toHaveLength(1)
  })
})
