import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../test/support/app.ts'
import { newApp, newCollection } from '../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { musicXml } from '../../../test/support/scores.ts'

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
  })

  it('finds a collection by its id', async () => {
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
      capabilities: { canEdit: true, canShare: true, canDelete: true, canAddScores: true, canDeleteScores: true },
      rights: { aclRead: true, aclWrite: true, aclAdmin: true },
    })
  })

  it('calls a collection of an individual account a playlist', async () => {
    const id = await newCollection(app, people.otto, 'Favourites')
    expect((await people.otto.get(`/collections/${id}`)).body.labelKey).toBe('playlist')
  })

  it.each<[string, number, object]>([
    ['app', 2, { canEdit: true, canDelete: true, canAddScores: true, canDeleteScores: true, canShare: false }],
    ['root', 3, { canEdit: false, canDelete: false, canAddScores: true, canDeleteScores: false, canShare: false }],
    [
      'allScores',
      3,
      { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false },
    ],
    ['trash', 1, { canEdit: false, canDelete: false, canAddScores: false, canDeleteScores: false, canShare: false }],
  ])('knows %s by its alias', async (alias, scoresCount, capabilities) => {
    const { status, body } = await tess.get(`/collections/${alias}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: alias, contents: { scoresCount }, capabilities })
    expect((await tess.get(`/collections/${body.id}`)).body).toEqual(body)
  })

  it('tells which collections are in the trash', async () => {
    expect((await tess.get('/collections/trash')).body.collections).toEqual([])
  })

  it('app is another collection for each app, and bears its name', async () => {
    const tuner = await newApp(app, tess, 'Tuner')
    const own = (await tess.get('/collections/app')).body
    const ofApp = (await tuner.get('/collections/app')).body
    expect(ofApp).toMatchObject({ type: 'app', title: 'Tuner', app: { id: tuner.id, name: 'Tuner' } })
    expect(ofApp.id).not.toBe(own.id)
    const { body } = await tuner.post('/scores', { data: musicXml() })
    expect(body.collections).toEqual([ofApp.id])
    expect((await tess.get('/collections/app')).body.contents.scoresCount).toBe(2)
  })

  it('app is made once, however many ask for it at the same time', async () => {
    const sam = people.sam
    const bodies = (await Promise.all([1, 2, 3, 4].map(() => sam.get('/collections/app')))).map(({ body }) => body)
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1)
  })

  it('is its owner’s: that of another is as unknown as one that is not there', async () => {
    const id = await newCollection(app, tess, 'Mine')
    for (const person of [people.sam, people.ada, people.otto]) {
      const { status, body } = await person.get(`/collections/${id}`)
      expect([status, body.code]).toEqual([404, 'COLLECTION_NOT_FOUND'])
      expect(body).toEqual((await person.get('/collections/0123456789abcdef01234567')).body)
    }
    expect((await tess.get('/collections/nonsense')).status).toBe(404)
  })
})
