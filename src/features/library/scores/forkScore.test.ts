import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day } from '../../../lib/durations.ts'
import { newComment, placesIn } from '../../../../test/support/comments.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('forkScore', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let tess: Person
  let sam: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, sam } = people)
  })

  const newScore = async (title = 'Study', privacy = 'organizationPublic'): Promise<string> =>
    (await tess.post('/scores', { data: musicXml({ title }), privacy })).body.id
  const fork = (person: Person, id: string, body: object = {}, query = '') =>
    person.post(`/scores/${id}/fork${query}`, body)
  const dataOf = async (person: Person, id: string, format = 'json') =>
    Buffer.from((await person.get(`/scores/${id}/revisions/last/${format}`)).bytes).toString()
  const blobsOf = (score: string) =>
    app.ctx.db.read
      .selectFrom('score_revisions')
      .select(['document_blob', 'source_blob'])
      .where('score_id', '=', score)
      .executeTakeFirstOrThrow()

  it('creates a private score of the caller that names the original', async () => {
    const original = await newScore()
    const { status, body } = await fork(sam, original)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Copy of Study',
      privacy: 'private',
      parentScore: original,
      user: { id: sam.id },
      rights: { aclAdmin: true, collaboratorType: 'owner' },
      instruments: ['keyboards.piano'],
    })
    expect(body.id).not.toBe(original)
    expect(body.publicationDate).toBeUndefined()
    expect((await sam.get(`/scores/${body.id}`)).body).toEqual(body)
    expect((await tess.get(`/scores/${body.id}`)).status).toBe(404)
  })

  it('has one revision: the last of the original, with the same notes and uuids', async () => {
    const original = await newScore()
    await tess.post(`/scores/${original}/revisions`, { data: musicXml({ measures: ['G4 G4 G4 G4'] }) })
    const { id } = (await fork(sam, original)).body
    const { body: revisions } = await sam.get(`/scores/${id}/revisions`)
    expect(revisions).toHaveLength(1)
    expect(revisions[0]).toMatchObject({
      user: sam.id,
      score: id,
      statistics: { additions: 0, deletions: 0, startDate: revisions[0].date, endDate: revisions[0].date },
    })
    expect(await dataOf(sam, id)).toBe(await dataOf(tess, original))
    expect(await dataOf(sam, id, 'xml')).toContain('<step>G</step>')
  })

  it('is independent of later changes to the original', async () => {
    const original = await newScore()
    const before = await dataOf(tess, original)
    const { id } = (await fork(sam, original)).body
    expect(
      (await sam.post(`/scores/${id}/revisions`, { data: musicXml({ measures: ['A4 A4 A4 A4'] }) })).status,
    ).toBe(200)
    expect(await dataOf(tess, original)).toBe(before)
    expect(await dataOf(sam, id, 'xml')).toContain('<step>A</step>')
  })

  it('copies the description of the music and the license, but no comments, likes or collaborators', async () => {
    const original = await newScore()
    const metadata = {
      subtitle: 'For beginners',
      composer: 'Clara S.',
      lyricist: 'Ludwig U.',
      arranger: 'Tess T.',
      description: 'Slowly at first.',
      tags: ['study', 'piano'],
      creationType: 'arrangement',
      license: 'cc-by-sa',
      licenseText: 'Name Tess.',
    }
    await tess.put(`/scores/${original}`, metadata)
    await sam.get(`/scores/${original}`)
    await app.ctx.writeBehind.flush()
    const { body } = await fork(sam, original)
    expect(body).toMatchObject(metadata)
    expect(body).toMatchObject({
      views: { total: 0 },
      likes: { total: 0 },
      comments: { total: 0 },
      collaborators: [{ collaboratorType: 'owner' }],
    })
  })

  it('keeps the title with keepOriginalTitle, and cuts a prefixed title at 1,000 characters', async () => {
    const original = await newScore()
    expect((await fork(sam, original, { keepOriginalTitle: true })).body.title).toBe('Study')
    const title = `${'x'.repeat(991)}𝄞𝄞𝄞`
    await tess.put(`/scores/${original}`, { title })
    expect((await fork(sam, original)).body.title).toBe(`Copy of ${'x'.repeat(991)}`)
    expect((await fork(sam, original, { keepOriginalTitle: true })).body.title).toBe(title)
  })

  describe('collection', () => {
    it('defaults to the collection of the app', async () => {
      const original = await newScore()
      const { id: collection } = (await sam.get('/collections/app')).body
      for (const body of [{}, { collection: 'app' }, { googleDriveDisabled: true }]) {
        expect((await fork(sam, original, body)).body.collections).toEqual([collection])
      }
    })

    it('is none with null and with a virtual collection', async () => {
      const original = await newScore()
      for (const collection of [null, 'allScores', 'collaborations', 'likes']) {
        const { status, body } = await fork(sam, original, { collection })
        expect([status, body.collections]).toEqual([200, []])
      }
    })

    it('is the named collection, or none with root', async () => {
      const original = await newScore()
      const collection = await newCollection(app, sam, 'Studies')
      const { body } = await fork(sam, original, { collection })
      expect(body.collections).toEqual([collection])
      expect((await sam.get(`/collections/${collection}/scores`)).body).toEqual([body])
      expect((await fork(sam, original, { collection: 'root' })).body.collections).toEqual([])
    })

    it('is refused if it accepts no scores or belongs to another user', async () => {
      const original = await newScore()
      const foreign = await newCollection(app, tess, 'Hers')
      const before = (await sam.get('/collections/allScores')).body.contents
      const codeFor = async (collection: string) => {
        const { status, body } = await fork(sam, original, { collection })
        return [status, body.code, body.param]
      }
      expect(await codeFor('trash')).toEqual([403, 'COLLECTION_ACCESS_DENIED', 'collection'])
      expect(await codeFor(foreign)).toEqual([404, 'COLLECTION_NOT_FOUND', 'collection'])
      expect((await sam.get('/collections/allScores')).body.contents).toEqual(before)
    })
  })

  it('requires read access, which the sharing key also gives, regardless of the license', async () => {
    const original = await newScore('Study', 'privateLink')
    await tess.put(`/scores/${original}`, { license: 'copyright' })
    const { sharingKey } = (await tess.get(`/scores/${original}`)).body
    expect((await fork(sam, original)).body.code).toBe('SCORE_NOT_FOUND')
    expect((await fork(sam, original, {}, `?sharingKey=${sharingKey}`)).status).toBe(200)
    expect((await fork(people.otto, original, {}, `?sharingKey=${sharingKey}`)).status).toBe(404)
    expect((await fork(tess, original)).status).toBe(200)
    const { id } = (await people.otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    expect((await fork(sam, id)).status).toBe(200)
  })

  it('refuses a score that is in the trash', async () => {
    const original = await newScore()
    await tess.delete(`/scores/${original}`)
    expect((await fork(tess, original)).body.code).toBe('SCORE_TRASHED')
    expect((await fork(sam, original)).body.code).toBe('SCORE_NOT_FOUND')
  })

  it('copies the default track of the original', async () => {
    const original = await newScore()
    const now = clock.now()
    const track = {
      creator_id: tess.id,
      type: 'audio',
      media_id: null,
      created_at: now,
      modified_at: now,
    } as const
    const points = JSON.stringify([{ type: 'end', time: 4 }])
    const tracks = [
      { title: 'Rehearsal', purpose: 'common', state: 'completed', is_default: 0 },
      { title: 'Concert', purpose: 'common', state: 'completed', is_default: 1 },
    ] as const
    await app.ctx.transaction(async (tx) => {
      for (const each of tracks) {
        const url = `https://audio.example/${each.title}.mp3`
        const row = { ...track, ...each, id: app.ctx.newId(), score_id: original, url, points }
        await tx.insertInto('score_tracks').values(row).execute()
      }
    })
    const { id } = (await fork(sam, original)).body
    const copied = await app.ctx.db.read
      .selectFrom('score_tracks')
      .selectAll()
      .where('score_id', '=', id)
      .execute()
    expect(copied).toMatchObject([{ title: 'Concert', is_default: 1, creator_id: sam.id, points }])
  })

  it('survives the deletion of the original, and shared files are deleted with the last score that uses them', async () => {
    const original = await newScore('Gone')
    const { id } = (await fork(sam, original)).body
    const data = await dataOf(sam, id)
    const { document_blob } = await blobsOf(id)
    const deletePermanently = async (person: Person, score: string) => {
      await person.delete(`/scores/${score}?now=true`)
      // The first sweep marks unused blobs. The second sweep deletes them.
      for (const _ of [1, 2]) {
        clock.forward(2 * day)
        await app.jobsDone()
        await app.ctx.blobs.sweep(app.ctx.db)
      }
      return app.ctx.db.read
        .selectFrom('blobs')
        .select('unused_since')
        .where('hash', '=', document_blob)
        .execute()
    }

    expect(await deletePermanently(tess, original)).toEqual([{ unused_since: null }])
    expect(await dataOf(sam, id)).toBe(data)
    expect((await sam.get(`/scores/${id}`)).body.parentScore).toBe(original)
    expect(await deletePermanently(sam, id)).toEqual([])
  })

  it('copies the inline comments of the original in an organization, with their replies and authors', async () => {
    const original = await newScore('Commented')
    const { place } = await placesIn(tess, original)
    const say = (person: Person, comment: object) => person.post(`/scores/${original}/comments`, comment)
    const thread = (await say(tess, { comment: 'Slower here', context: place })).body
    await say(sam, { comment: 'Better?', replyTo: thread.id })
    await say(tess, { comment: 'About the piece' })
    const copy = (await fork(sam, original)).body
    expect(copy.comments).toMatchObject({ total: 0 })
    const copied = (await sam.get(`/scores/${copy.id}/comments`)).body
    expect(copied).toMatchObject([
      {
        type: 'inline',
        comment: 'Slower here',
        user: tess.id,
        score: copy.id,
        context: place,
        date: thread.date,
      },
      { type: 'inline', comment: 'Better?', user: sam.id, replyTo: copied[0].id },
    ])
    expect(copied[0].id).not.toBe(thread.id)
    await tess.delete(`/scores/${original}/comments/${thread.id}`)
    expect((await sam.get(`/scores/${copy.id}/comments`)).body).toEqual(copied)
  })

  it('copies no comments for an individual account, and none that the caller cannot see', async () => {
    const { otto } = people
    const own = (await otto.post('/scores', { data: musicXml() })).body.id
    const { place } = await placesIn(otto, own)
    await otto.post(`/scores/${own}/comments`, { comment: 'Mine', context: place })
    const { id: copyOfOwn } = (await fork(otto, own)).body
    expect((await otto.get(`/scores/${copyOfOwn}/comments`)).body).toEqual([])
    const original = await newScore()
    const hidden = await newComment(app, original, { hidden: 'spam' })
    const context = JSON.stringify((await placesIn(tess, original)).place)
    await app.ctx.transaction((tx) =>
      tx.updateTable('score_comments').set({ context }).where('id', '=', hidden).execute(),
    )
    const { id: copy } = (await fork(sam, original)).body
    expect((await sam.get(`/scores/${copy}/comments`)).body).toEqual([])
  })

  it('keeps files that a sweep has already marked as unused', async () => {
    const original = await newScore('Swept')
    const { document_blob, source_blob } = await blobsOf(original)
    const hashes = [document_blob, source_blob as string]
    await app.ctx.transaction(async (tx) => {
      await tx.updateTable('blobs').set({ unused_since: clock.now() }).where('hash', 'in', hashes).execute()
    })
    const { id } = (await fork(sam, original)).body
    await tess.delete(`/scores/${original}?now=true`)
    clock.forward(2 * day)
    await app.jobsDone()
    await app.ctx.blobs.sweep(app.ctx.db)
    expect(await dataOf(sam, id, 'xml')).toContain('<step>C</step>')
  })
})
