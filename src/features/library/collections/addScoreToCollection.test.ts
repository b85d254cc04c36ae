import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newApp, newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { minute, second } from '../../../lib/durations.ts'
import { give, type GrantLevel } from '../../../../test/support/sharing.ts'

describeApp('addScoreToCollection', (app) => {
  let people: School
  let tess: Person
  let theo: Person
  let sam: Person
  let otto: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, theo, sam, otto } = people)
  })

  const newScore = async (owner: Person, fields = {}): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), collection: 'root', ...fields })).body.id
  const add = (person: Person, collection: string, score: string, query = '') =>
    person.put(`/collections/${collection}/scores/${score}${query}`)
  const idsIn = async (person: Person, collection: string): Promise<string[]> =>
    (await person.get(`/collections/${collection}/scores`)).body.map(({ id }: { id: string }) => id)
  /** Creates a collection of Tess's that is shared with these users at these levels. */
  async function sharedCollection(...shares: [Person, GrantLevel][]): Promise<string> {
    const id = await newCollection(app, tess, 'Shared')
    for (const [person, level] of shares)
      await give(app, { on: 'collection', id }, { user: person.id }, level)
    return id
  }
  const rightsOf = async (person: Person, score: string) => (await person.get(`/scores/${score}`)).body.rights

  it('moves the modification date of the collection, as removing a score and creating one in it do', async () => {
    const collection = (await otto.post('/collections', { title: 'Dated' })).body.id
    const score = await newScore(otto)
    const { id: ofApp } = (await otto.get('/collections/app')).body
    for (const [id, change] of [
      [collection, () => add(otto, collection, score)],
      [collection, () => otto.delete(`/collections/${collection}/scores/${score}`)],
      [collection, () => newScore(otto, { collection })],
      [ofApp, () => newScore(otto, { collection: 'app' })],
    ] as const) {
      const past = { modified_at: 0 }
      await app.ctx.transaction((tx) =>
        tx.updateTable('collections').set(past).where('id', '=', id).execute(),
      )
      await change()
      const { modificationDate, creationDate } = (await otto.get(`/collections/${id}`)).body
      expect(Date.parse(modificationDate)).toBeGreaterThanOrEqual(Date.parse(creationDate))
    }
  })

  it('moves the modification date of the collection of an app at most once a second', async () => {
    const { id } = (await otto.get('/collections/app')).body
    const later = app.ctx.clock.now() + minute
    const dateAfter = async (modified_at: number) => {
      await app.ctx.transaction((tx) =>
        tx.updateTable('collections').set({ modified_at }).where('id', '=', id).execute(),
      )
      await newScore(otto, { collection: 'app' })
      return Date.parse((await otto.get(`/collections/${id}`)).body.modificationDate)
    }
    expect(await dateAfter(later)).toBe(later)
    const before = app.ctx.clock.now() - second
    expect(await dateAfter(before - 1)).toBeGreaterThan(before)
  })

  it('shares a student’s score only within the organization', async () => {
    const organization = await app.organization('Open', true)
    const [vera, viola] = [
      await app.person('vera', { organization, role: 'teacher' }),
      await app.person('viola', { organization, role: 'user' }),
    ]
    const collection = await newCollection(app, vera, 'Of the ensemble')
    for (const { id: user } of [viola, otto])
      await give(app, { on: 'collection', id: collection }, { user }, 'write')
    const [teachers, students] = [await newScore(vera), await newScore(viola)]
    expect((await add(vera, collection, teachers)).status).toBe(200)
    expect((await add(viola, collection, students)).status).toBe(200)
    expect(await idsIn(vera, collection)).toEqual([students, teachers])
    expect(await idsIn(otto, collection)).toEqual([teachers])
    expect((await otto.get(`/scores/${teachers}`)).status).toBe(200)
    expect((await otto.get(`/scores/${students}`)).status).toBe(404)
  })

  it('adds the score and returns it', async () => {
    const [collection, score] = [await newCollection(app, tess, 'One'), await newScore(tess)]
    const { status, body, headers } = await add(tess, collection, score)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: score, collections: [collection], me: { isInLibrary: true } })
    expect(body).toEqual((await tess.get(`/scores/${score}`)).body)
    expect(headers.get('deprecation')).toBeNull()
    expect(await idsIn(tess, collection)).toEqual([score])
  })

  it('keeps the score in its other collections', async () => {
    const ids = [await newCollection(app, tess, 'One'), await newCollection(app, tess, 'Two')]
    const score = await newScore(tess, { collection: ids[0] })
    expect((await add(tess, ids[1] as string, score)).body.collections.toSorted()).toEqual(ids.toSorted())
  })

  it('sorts the score by its own dates and title, not by when it was added', async () => {
    const collection = await newCollection(app, tess, 'Sorted')
    const older = await newScore(tess, { title: 'B' })
    const newer = await newScore(tess, { title: 'A', collection })
    await add(tess, collection, older)
    expect(await idsIn(tess, `${collection}`)).toEqual([newer, older])
    await tess.put(`/scores/${older}`, { title: '0' })
    const { body } = await tess.get(`/collections/${collection}/scores?sort=title`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([older, newer])
  })

  it('succeeds if the score is already in the collection', async () => {
    const [collection, score] = [await newCollection(app, tess, 'Again'), await newScore(tess)]
    for (const _ of [1, 2]) expect((await add(tess, collection, score)).status).toBe(200)
    expect(await idsIn(tess, collection)).toEqual([score])
  })

  it('accepts an empty form body, and a token with only the scope to add scores', async () => {
    const [collection, score] = [await newCollection(app, tess, 'Form'), await newScore(tess)]
    const adding = await app.withScopes(tess, 'collections.add_scores')
    const { status } = await adding.put(`/collections/${collection}/scores/${score}`, undefined, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: '',
    })
    expect(status).toBe(200)
  })

  it('accepts the alias `app` and creates the collection if it does not exist', async () => {
    const tuner = await newApp(app, tess, 'Tuner')
    const score = await newScore(tess)
    const { body } = await tuner.put(`/collections/app/scores/${score}`)
    expect(body.collections).toEqual([(await tuner.get('/collections/app')).body.id])
  })

  it('accepts the caller’s own score for `root`, with a deprecation header', async () => {
    const score = await newScore(tess)
    const { status, body, headers } = await add(tess, 'root', score)
    expect([status, body.collections]).toEqual([200, []])
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    const public_ = await newScore(otto, { privacy: 'public' })
    const refused = await add(tess, 'root', public_)
    expect([refused.status, refused.body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
  })

  it.each(['allScores', 'trash'])('refuses to add to %s', async (alias) => {
    const { status, body } = await add(tess, alias, await newScore(tess))
    expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
  })

  it('returns 404 for a missing score and for a score the caller cannot see', async () => {
    const collection = await newCollection(app, sam, 'Curious')
    for (const score of [await newScore(tess), '0123456789abcdef01234567', 'nonsense']) {
      const { status, body } = await add(sam, collection, score)
      expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    }
    expect(await idsIn(sam, collection)).toEqual([])
  })

  it('refuses a score in the trash and a collection in the trash', async () => {
    const [collection, score] = [await newCollection(app, tess, 'Thrown away'), await newScore(tess)]
    await tess.delete(`/scores/${score}`)
    const trashedScore = await add(tess, collection, score)
    expect([trashedScore.status, trashedScore.body.code]).toEqual([409, 'SCORE_TRASHED'])
    await tess.post(`/scores/${score}/untrash`)
    await tess.delete(`/collections/${collection}`)
    const trashedCollection = await add(tess, collection, score)
    expect([trashedCollection.status, trashedCollection.body.code]).toEqual([409, 'COLLECTION_TRASHED'])
  })

  describe('with a score of another user', () => {
    it('adds a public score to the caller’s library', async () => {
      const score = await newScore(otto, { privacy: 'public' })
      const collection = await newCollection(app, sam, 'Finds')
      const { body } = await add(sam, collection, score)
      expect(body).toMatchObject({
        user: { id: otto.id },
        collections: [collection],
        me: { isInLibrary: true },
      })
      expect(await idsIn(sam, collection)).toEqual([score])
      expect((await otto.get(`/scores/${score}`)).body.collections).toEqual([])
    })

    it('hides the score when the caller loses read access', async () => {
      const score = await newScore(otto, { privacy: 'public' })
      const collection = await newCollection(app, sam, 'Finds')
      await add(sam, collection, score)
      await otto.put(`/scores/${score}`, { privacy: 'private' })
      expect(await idsIn(sam, collection)).toEqual([])
      expect((await sam.get(`/scores/${score}`)).status).toBe(404)
    })

    it('stores the sharing key, which gives access while it is valid', async () => {
      const score = await newScore(otto, { privacy: 'privateLink' })
      const { sharingKey } = (await otto.get(`/scores/${score}`)).body
      const collection = await newCollection(app, sam, 'Links')
      expect((await add(sam, collection, score)).status).toBe(404)
      expect((await add(sam, collection, score, `?sharingKey=${'f'.repeat(128)}`)).status).toBe(404)
      expect((await add(sam, collection, score, `?sharingKey=${sharingKey}`)).body.id).toBe(score)
      expect(await idsIn(sam, collection)).toEqual([score])
      expect((await sam.get(`/scores/${score}`)).status).toBe(200)

      const changed = 'e'.repeat(128)
      await otto.put(`/scores/${score}`, { sharingKey: changed })
      expect((await sam.get(`/scores/${score}`)).status).toBe(404)
      expect(await idsIn(sam, collection)).toEqual([])
      await add(sam, collection, score, `?sharingKey=${changed}`)
      expect(await idsIn(sam, collection)).toEqual([score])
    })

    it('adds a score that is open through a stored sharing key to another collection of the same user', async () => {
      const score = await newScore(otto, { privacy: 'privateLink' })
      const { sharingKey } = (await otto.get(`/scores/${score}`)).body
      const [first, second] = [
        await newCollection(app, sam, 'First'),
        await newCollection(app, sam, 'Second'),
      ]
      await add(sam, first, score, `?sharingKey=${sharingKey}`)
      await add(sam, second, score)
      await sam.delete(`/collections/${first}/scores/${score}`)
      expect(await idsIn(sam, second)).toEqual([score])
    })
  })

  describe('with a shared collection', () => {
    it('requires write access to the collection', async () => {
      const collection = await sharedCollection([theo, 'write'], [sam, 'read'])
      const own = await newScore(theo)
      expect((await add(theo, collection, own)).body.collections).toEqual([collection])
      const refused = await add(sam, collection, await newScore(sam))
      expect([refused.status, refused.body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
      expect(await idsIn(tess, collection)).toEqual([own])
    })

    it('shares a score that its owner added: readers can read it; writers and the collection’s owner can write it', async () => {
      const collection = await sharedCollection([theo, 'write'], [sam, 'read'])
      const score = await newScore(theo)
      expect((await tess.get(`/scores/${score}`)).status).toBe(404)
      await add(theo, collection, score)
      expect(await rightsOf(tess, score)).toMatchObject({ aclRead: true, aclWrite: true, aclAdmin: false })
      expect(await rightsOf(sam, score)).toMatchObject({ aclRead: true, aclWrite: false, aclAdmin: false })
      for (const person of [tess, theo, sam]) expect(await idsIn(person, collection)).toEqual([score])
    })

    it('gives no access to a score that another user than its owner added', async () => {
      const collection = await sharedCollection([theo, 'write'], [sam, 'read'])
      const score = await newScore(people.ada)
      await give(app, { on: 'score', id: score }, { user: theo.id }, 'admin')
      expect((await add(theo, collection, score)).status).toBe(200)
      expect(await idsIn(theo, collection)).toEqual([score])
      for (const person of [tess, sam]) {
        expect((await person.get(`/scores/${score}`)).status).toBe(404)
        expect(await idsIn(person, collection)).toEqual([])
      }
    })

    it('shares the score when its owner adds it later, even if the first user adds it again', async () => {
      const collection = await sharedCollection([theo, 'write'], [people.ada, 'write'], [sam, 'read'])
      const score = await newScore(people.ada)
      await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
      await add(theo, collection, score)
      for (const person of [people.ada, theo]) {
        expect((await add(person, collection, score)).status).toBe(200)
        expect(await idsIn(sam, collection)).toEqual([score])
      }
    })
  })

  describe('with a simultaneous request', () => {
    const inParallel = (...requests: Promise<{ status: number }>[]) =>
      Promise.all(requests.map(async (request) => (await request).status))

    it('of another user that adds the score: it is in the collection once, as added by its owner', async () => {
      const collection = await sharedCollection([theo, 'write'], [sam, 'read'])
      const score = await newScore(theo, { privacy: 'organizationPublic' })
      const adding = Array.from({ length: 4 }, () => [
        add(tess, collection, score),
        add(theo, collection, score),
      ])
      expect(await inParallel(...adding.flat())).toEqual(Array(8).fill(200))
      expect(await idsIn(sam, collection)).toEqual([score])
      expect(await rightsOf(tess, score)).toMatchObject({ aclWrite: true })
    })

    it('that takes the score out: the responses match the final state', async () => {
      const collection = await newCollection(app, tess, 'Race')
      const score = await newScore(tess)
      for (let round = 0; round < 5; round++) {
        const [added, removed] = await inParallel(
          add(tess, collection, score),
          tess.delete(`/collections/${collection}/scores/${score}`),
        )
        expect(added).toBe(200)
        const isIn = (await idsIn(tess, collection)).length === 1
        // The score is missing only if it was taken out, which requires that it was added in this round or an
        // earlier one.
        if (!isIn) expect(removed).toBe(204)
        expect([204, 404]).toContain(removed)
      }
    })

    it('that deletes the collection: the request fails, or the deleted collection contains the score', async () => {
      for (let round = 0; round < 5; round++) {
        const collection = await newCollection(app, tess, 'Race')
        const score = await newScore(tess)
        const [added, deleted] = await inParallel(
          add(tess, collection, score),
          tess.delete(`/collections/${collection}`),
        )
        expect(deleted).toBe(204)
        expect([200, 409]).toContain(added)
        expect(await idsIn(tess, collection)).toEqual(added === 200 ? [score] : [])
        expect((await tess.get(`/scores/${score}`)).body.collections).toEqual([])
      }
    })

    it('that deletes the collection of a new score: the request fails, or the trashed collection contains the score', async () => {
      const before = (await tess.get('/collections/allScores')).body.contents.scoresCount
      let created = 0
      for (let round = 0; round < 5; round++) {
        const collection = await newCollection(app, tess, 'Race')
        const [creation] = await Promise.all([
          tess.post('/scores', { ...emptyPiano(), collection }),
          tess.delete(`/collections/${collection}`),
        ])
        const { status, body } = creation
        if (status === 200) created++
        else expect([status, body.code, body.param]).toEqual([409, 'COLLECTION_TRASHED', 'collection'])
        expect(await idsIn(tess, collection)).toEqual(status === 200 ? [body.id] : [])
      }
      expect((await tess.get('/collections/allScores')).body.contents.scoresCount).toBe(before + created)
    })
  })
})
