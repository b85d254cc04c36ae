import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newApp, newCollection } from '../../../../test/support/collections.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeApp('getCollection', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    for (const _ of [1, 2]) await tess.post('/scores', { data: musicXml() })
    const { id } = (await tess.post('/scores', { data: musicXml(), collection: 'root' })).body
    await tess.post('/scores', { data: musicXml(), collection: 'root' })
    await tess.delete(`/scores/${id}`)
    for (const likes of [true, false]) {
      const sharedScore = (await people.theo.post('/scores', { data: musicXml() })).body.id
      await give(app, { on: 'score', id: sharedScore }, { user: tess.id }, 'read')
      if (likes) await tess.put(`/scores/${sharedScore}/like`)
    }
  })

  it('returns a collection by its id', async () => {
    const id = await newCollection(app, tess, 'Concert')
    const { status, body } = await tess.get(`/collections/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      title: 'Concert',
      type: 'regular',
      labelKey: 'collection',
      privacy: 'private',
      htmlUrl: `${app.url}/collections/${id}`,
      user: { id: tess.id },
      organization: people.id,
      contents: { scoresCount: 0 },
      capabilities: {
        canEdit: true,
        canShare: true,
        canDelete: true,
        canAddScores: true,
        canDeleteScores: true,
      },
      rights: { aclRead: true, aclWrite: true, aclAdmin: true },
    })
  })

  it('calls a collection of an individual account a playlist', async () => {
    const id = await newCollection(app, people.otto, 'Favourites')
    expect((await people.otto.get(`/collections/${id}`)).body.labelKey).toBe('playlist')
  })

  it('names a shared collection after the caller’s kind of account', async () => {
    expect((await tess.get('/collections/collaborations')).body.labelKey).toBe('shared-scores')
    expect((await people.otto.get('/collections/collaborations')).body.labelKey).toBe('collaboration')
  })

  it.each<[string, number, object]>([
    [
      'app',
      2,
      { canEdit: true, canDelete: true, canAddScores: true, canDeleteScores: true, canShare: false },
    ],
    [
      'root',
      3,
      { canEdit: false, canDelete: false, canAddScores: true, canDeleteScores: false, canShare: false },
    ],
    [
      'allScores',
      3,
      { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false },
    ],
    [
      'collaborations',
      2,
      { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false },
    ],
    [
      'likes',
      1,
      { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false },
    ],
    [
      'trash',
      1,
      { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false },
    ],
  ])('returns %s by its alias', async (alias, scoresCount, capabilities) => {
    const { status, body } = await tess.get(`/collections/${alias}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: alias, contents: { scoresCount }, capabilities })
    expect((await tess.get(`/collections/${body.id}`)).body).toEqual(body)
  })

  it('lists the collections in the trash, in the response for `trash` only', async () => {
    const theo = people.theo
    expect((await theo.get('/collections/trash')).body.collections).toEqual([])
    const ids = [await newCollection(app, theo, 'One'), await newCollection(app, theo, 'Two')]
    for (const id of ids) await theo.delete(`/collections/${id}`)
    expect((await theo.get('/collections/trash')).body.collections).toEqual(ids.toReversed())
    expect((await theo.get('/collections/allScores')).body.collections).toBeUndefined()
  })

  it('marks only root as deprecated', async () => {
    for (const alias of ['root', 'app', 'allScores', 'trash']) {
      for (const path of [`/collections/${alias}`, `/collections/${alias}/scores`]) {
        expect((await tess.get(path)).headers.has('deprecation')).toBe(alias === 'root')
      }
    }
  })

  it('shows the owner of a shared collection and the caller’s capabilities', async () => {
    const id = await newCollection(app, tess, 'Ours')
    await give(app, { on: 'collection', id }, { user: people.theo.id }, 'write')
    const { body } = await people.theo.get(`/collections/${id}`)
    expect(body).toMatchObject({
      title: 'Ours',
      user: { id: tess.id },
      rights: {
        aclRead: true,
        aclWrite: true,
        aclAdmin: false,
        isCollaborator: true,
        collaboratorType: 'user',
      },
      capabilities: {
        canEdit: true,
        canShare: false,
        canDelete: false,
        canAddScores: true,
        canDeleteScores: true,
      },
    })
  })

  it('returns 404 to collaborators outside an organization that is not open', async () => {
    const id = await newCollection(app, tess, 'Ours')
    await give(app, { on: 'collection', id }, { user: people.otto.id }, 'admin')
    const { id: score } = (await tess.post('/scores', { data: musicXml(), collection: id })).body
    for (const path of [`/collections/${id}`, `/collections/${id}/scores`, `/scores/${score}`]) {
      expect((await people.otto.get(path)).status).toBe(404)
    }
    await allowPublicScores(app, people.id, true)
    expect((await people.otto.get(`/collections/${id}`)).body.rights.aclAdmin).toBe(true)
    expect((await people.otto.get(`/scores/${score}`)).body.collections).toEqual([id])
    await allowPublicScores(app, people.id, false)
    expect((await people.otto.get(`/collections/${id}`)).status).toBe(404)
  })

  it('app is a separate collection for each app, with the app’s name', async () => {
    const tuner = await newApp(app, tess, 'Tuner')
    const own = (await tess.get('/collections/app')).body
    const ofApp = (await tuner.get('/collections/app')).body
    expect(ofApp).toMatchObject({ type: 'app', title: 'Tuner', app: { id: tuner.id, name: 'Tuner' } })
    expect(ofApp.id).not.toBe(own.id)
    const { body } = await tuner.post('/scores', { data: musicXml() })
    expect(body.collections).toEqual([ofApp.id])
    expect((await tess.get('/collections/app')).body.contents.scoresCount).toBe(2)
  })

  it('app is created once by simultaneous requests', async () => {
    const sam = people.sam
    const bodies = (await Promise.all([1, 2, 3, 4].map(() => sam.get('/collections/app')))).map(
      ({ body }) => body,
    )
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1)
  })

  it('returns the same 404 for another user’s collection as for a missing one', async () => {
    const id = await newCollection(app, tess, 'Mine')
    for (const person of [people.sam, people.ada, people.otto]) {
      const { status, body } = await person.get(`/collections/${id}`)
      expect([status, body.code]).toEqual([404, 'COLLECTION_NOT_FOUND'])
      expect(body).toEqual((await person.get('/collections/0123456789abcdef01234567')).body)
    }
    expect((await tess.get('/collections/nonsense')).status).toBe(404)
  })
})
