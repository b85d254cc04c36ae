import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, type GrantLevel, addCollectionScore } from '../../../../test/support/sharing.ts'

describeApp('deleteScoreFromCollection', (app) => {
  let people: School
  let tess: Person
  let theo: Person
  let sam: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, theo, sam } = people)
  })

  const newScore = async (owner: Person, collection = 'root'): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), collection, privacy: 'organizationPublic' })).body.id
  const takeOut = (person: Person, collection: string, score: string, init?: RequestInit) =>
    person.delete(`/collections/${collection}/scores/${score}`, init)
  const idsIn = async (person: Person, collection: string): Promise<string[]> =>
    (await person.get(`/collections/${collection}/scores`)).body.map(({ id }: { id: string }) => id)
  const share = (id: string, person: Person, level: GrantLevel) =>
    give(app, { on: 'collection', id }, { user: person.id }, level)

  it('takes the score out of this collection only', async () => {
    const [one, other] = [await newCollection(app, tess, 'One'), await newCollection(app, tess, 'Other')]
    const score = await newScore(tess, one)
    await tess.put(`/collections/${other}/scores/${score}`)
    expect((await takeOut(tess, one, score)).status).toBe(204)
    expect(await idsIn(tess, one)).toEqual([])
    expect((await tess.get(`/scores/${score}`)).body.collections).toEqual([other])
  })

  it('does not delete the score, even if it is in no other collection', async () => {
    const collection = await newCollection(app, tess, 'Only')
    const score = await newScore(tess, collection)
    await takeOut(tess, collection, score)
    const { body } = await tess.get(`/scores/${score}`)
    expect(body).toMatchObject({ id: score, collections: [] })
    expect(body.scheduledDeletionDate).toBeUndefined()
  })

  it('returns 404 for a score that is not in the collection', async () => {
    const collection = await newCollection(app, tess, 'Empty')
    for (const score of [await newScore(tess), '0123456789abcdef01234567', 'nonsense']) {
      const { status, body } = await takeOut(tess, collection, score)
      expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    }
  })

  it('accepts an empty form body and the parameter eventProperties', async () => {
    const collection = await newCollection(app, tess, 'Form')
    const score = await newScore(tess, collection)
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: '' }
    const { status } = await takeOut(tess, collection, `${score}?eventProperties=%7B%7D`, form)
    expect(status).toBe(204)
  })

  it('accepts the alias `app`', async () => {
    const score = await newScore(tess, 'app')
    expect((await takeOut(tess, 'app', score)).status).toBe(204)
    expect(await idsIn(tess, 'app')).toEqual([])
  })

  it.each(['root', 'allScores', 'trash'])('refuses to take a score out of %s', async (alias) => {
    const { status, body } = await takeOut(tess, alias, await newScore(tess))
    expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
  })

  it('takes out a score in the trash, which does not return when it is restored', async () => {
    const collection = await newCollection(app, tess, 'Forgotten')
    const score = await newScore(tess, collection)
    await tess.delete(`/scores/${score}`)
    expect((await takeOut(tess, collection, score)).status).toBe(204)
    await tess.post(`/scores/${score}/untrash`)
    expect((await tess.get(`/scores/${score}`)).body.collections).toEqual([])
  })

  it('refuses a collection in the trash, except for scores that the caller added', async () => {
    const collection = await newCollection(app, tess, 'Thrown away')
    await share(collection, theo, 'write')
    const [own, other] = [await newScore(tess, collection), await newScore(theo, collection)]
    await tess.delete(`/collections/${collection}`)
    const { status, body } = await takeOut(tess, collection, other)
    expect([status, body.code]).toEqual([409, 'COLLECTION_TRASHED'])
    expect((await takeOut(tess, collection, own)).status).toBe(204)
  })

  it('requires write access, regardless of who added the score', async () => {
    const collection = await newCollection(app, tess, 'Shared')
    await share(collection, theo, 'write')
    await share(collection, sam, 'read')
    const score = await newScore(tess, collection)
    const refused = await takeOut(sam, collection, score)
    expect([refused.status, refused.body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    expect((await takeOut(theo, collection, score)).status).toBe(204)
    expect((await tess.get(`/scores/${score}`)).status).toBe(200)
  })

  it('allows the collection’s owner to take out a score that the owner cannot read', async () => {
    const collection = await newCollection(app, tess, 'Shared')
    const secret = (await people.otto.post('/scores', emptyPiano())).body.id
    await addCollectionScore(app, collection, secret, theo)
    expect(await idsIn(tess, collection)).toEqual([])
    expect((await takeOut(tess, collection, secret)).status).toBe(204)
  })

  it('allows the user who added a score to take it out after losing access to the collection', async () => {
    const collection = await newCollection(app, tess, 'Shared')
    await share(collection, theo, 'write')
    const [first, second, third] = [await newScore(theo), await newScore(theo), await newScore(sam)]
    for (const score of [first, second, third]) await theo.put(`/collections/${collection}/scores/${score}`)
    await share(collection, theo, 'read')
    expect((await takeOut(theo, collection, first)).status).toBe(204)
    await theo.delete(`/collections/${collection}`)
    expect((await theo.get(`/collections/${collection}`)).status).toBe(404)
    for (const score of [second, third]) expect((await takeOut(theo, collection, score)).status).toBe(204)
    const { status, body } = await takeOut(theo, collection, second)
    expect([status, body.code]).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await idsIn(tess, collection)).toEqual([])
  })

  it('ends the access to the score through the collection', async () => {
    const collection = await newCollection(app, tess, 'Shared')
    await share(collection, sam, 'read')
    const { id: score } = (await tess.post('/scores', { ...emptyPiano(), collection })).body
    expect((await sam.get(`/scores/${score}`)).status).toBe(200)
    await takeOut(tess, collection, score)
    expect((await sam.get(`/scores/${score}`)).status).toBe(404)
  })

  it('succeeds for one of several simultaneous requests', async () => {
    const collection = await newCollection(app, tess, 'Race')
    const score = await newScore(tess, collection)
    const replies = await Promise.all([1, 2, 3, 4].map(() => takeOut(tess, collection, score)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
  })
})
