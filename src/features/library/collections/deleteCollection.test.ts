import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { passDays, testClock } from '../../../../test/support/clock.ts'
import { day, minute } from '../../../lib/durations.ts'
import { newApp, newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, type GrantLevel, newGroup, withoutOwner } from '../../../../test/support/sharing.ts'

describeEachDatabase('deleteCollection', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trashDays: '7' }, { clock })
  let people: School
  let tess: Person
  let theo: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, theo } = people)
  })

  const newScore = async (collection: string, owner = tess): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), collection })).body.id
  const idsAt = async (path: string, person = tess): Promise<string[]> =>
    (await person.get(path)).body.map(({ id }: { id: string }) => id)
  const trashed = async () => (await tess.get('/collections/trash')).body.collections
  const share = (id: string, holder: Parameters<typeof give>[2], level: GrantLevel) =>
    give(app, { on: 'collection', id }, holder, level)

  it('moves the collection to the trash of its owner, where it is visible and read-only', async () => {
    const id = await newCollection(app, tess, 'Old')
    const score = await newScore(id)
    expect((await tess.delete(`/collections/${id}`)).status).toBe(204)
    const { status, body } = await tess.get(`/collections/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Old',
      contents: { scoresCount: 1 },
      capabilities: {
        canEdit: false,
        canShare: false,
        canDelete: false,
        canAddScores: false,
        canDeleteScores: false,
      },
    })
    expect((await tess.get('/collections?parent=trash')).body).toContainEqual(body)
    expect(await trashed()).toContain(id)
    expect(await idsAt(`/collections/${id}/scores`)).toEqual([score])
  })

  it('removes the collection from every other list', async () => {
    const id = await newCollection(app, tess, 'Listed')
    const score = await newScore(id)
    await tess.delete(`/collections/${id}`)
    expect(await idsAt('/collections?limit=100')).not.toContain(id)
    expect((await tess.get(`/scores/${score}`)).body.collections).toEqual([])
    expect((await tess.get('/collections/allScores/scores')).body[0].collections).toEqual([])
  })

  it('keeps the scores in the account and in other collections', async () => {
    const [id, other] = [await newCollection(app, tess, 'One'), await newCollection(app, tess, 'Other')]
    const score = await newScore(id)
    await tess.put(`/collections/${other}/scores/${score}`)
    await tess.delete(`/collections/${id}`)
    clock.forward(8 * day)
    await app.jobsDone()
    const { body } = await tess.get(`/scores/${score}`)
    expect(body.collections).toEqual([other])
    expect(body.scheduledDeletionDate).toBeUndefined()
    expect(await idsAt('/collections/allScores/scores?limit=100')).toContain(score)
  })

  it('ends the collaborators’ access to the collection and to the scores in it', async () => {
    const id = await newCollection(app, tess, 'Shared')
    const score = await newScore(id)
    await share(id, { user: theo.id }, 'admin')
    expect((await theo.get(`/scores/${score}`)).status).toBe(200)
    await tess.delete(`/collections/${id}`)
    expect((await theo.get(`/collections/${id}`)).status).toBe(404)
    expect((await theo.get(`/collections/${id}/scores`)).status).toBe(404)
    expect((await theo.delete(`/collections/${id}`)).status).toBe(404)
    expect((await theo.get(`/scores/${score}`)).status).toBe(404)
    expect(await idsAt('/collections', theo)).not.toContain(id)
    expect(await idsAt('/collections?parent=trash', theo)).toEqual([])
  })

  it('keeps grants on the scores themselves', async () => {
    const id = await newCollection(app, tess, 'Shared')
    const score = await newScore(id)
    await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
    await share(id, { user: theo.id }, 'write')
    await tess.delete(`/collections/${id}`)
    expect((await theo.get(`/scores/${score}`)).body.rights).toMatchObject({ aclRead: true, aclWrite: false })
  })

  it('deletes the collection at the end of its time in the trash, and not before', async () => {
    const id = await newCollection(app, tess, 'Ends')
    const score = await newScore(id)
    await tess.delete(`/collections/${id}`)
    clock.forward(7 * day - minute)
    await app.jobsDone()
    expect((await tess.get(`/collections/${id}`)).status).toBe(200)
    clock.forward(61 * minute)
    await app.jobsDone()
    expect((await tess.get(`/collections/${id}`)).status).toBe(200)
    await passDays(app, clock, 0)
    expect((await tess.get(`/collections/${id}`)).status).toBe(404)
    expect(await trashed()).not.toContain(id)
    expect((await tess.get(`/scores/${score}`)).status).toBe(200)
  })

  it('does not postpone the deletion when it is called again', async () => {
    const id = await newCollection(app, tess, 'Twice')
    await tess.delete(`/collections/${id}`)
    clock.forward(6 * day)
    expect((await tess.delete(`/collections/${id}`)).status).toBe(204)
    await passDays(app, clock, 1)
    expect((await tess.get(`/collections/${id}`)).status).toBe(404)
  })

  it('creates a new collection for an app, which receives the app’s next scores', async () => {
    const tuner = await newApp(app, tess, 'Tuner')
    const { id } = (await tuner.get('/collections/app')).body
    await tuner.put('/collections/app', { title: 'Renamed' })
    expect((await tuner.delete('/collections/app')).status).toBe(204)
    const { body: score } = await tuner.post('/scores', emptyPiano())
    const { body: next } = await tuner.get('/collections/app')
    expect(next).toMatchObject({ title: 'Tuner', contents: { scoresCount: 1 } })
    expect(next.id).not.toBe(id)
    expect(score.collections).toEqual([next.id])
    expect(await trashed()).toContain(id)
    await tuner.delete('/collections/app')
    expect(await trashed()).toEqual(expect.arrayContaining([id, next.id]))
  })

  it.each(['root', 'allScores', 'trash'])('refuses to delete %s', async (alias) => {
    const { status, body } = await tess.delete(`/collections/${alias}`)
    expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
  })

  describe('by a collaborator', () => {
    it.each(['read', 'write', 'admin'] as const)(
      'leaves the collection at every access level (%s)',
      async (level) => {
        const id = await newCollection(app, tess, 'Left')
        await share(id, { user: theo.id }, level)
        await share(id, { user: people.sam.id }, 'read')
        expect((await theo.delete(`/collections/${id}`)).status).toBe(204)
        expect((await theo.get(`/collections/${id}`)).status).toBe(404)
        expect((await people.sam.get(`/collections/${id}`)).status).toBe(200)
        const { body } = await tess.get(`/collections/${id}`)
        expect(
          withoutOwner<{ user: Person }>(body.collaborators).map(({ user }: { user: Person }) => user.id),
        ).toEqual([people.sam.id])
        expect(await trashed()).not.toContain(id)
      },
    )

    it('is refused if the collaborator has access only through a group', async () => {
      const id = await newCollection(app, tess, 'Ours')
      await share(id, { group: await newGroup(app, people.id, 'Choir', theo) }, 'admin')
      const { status, body } = await theo.delete(`/collections/${id}`)
      expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
      await share(id, { user: theo.id }, 'read')
      expect((await theo.delete(`/collections/${id}`)).status).toBe(204)
      expect((await theo.get(`/collections/${id}`)).status).toBe(200)
    })
  })

  it('lists the trash page by page, in every order', async () => {
    const pia = await app.person('pia')
    const ids: string[] = []
    for (const title of ['b', 'c', 'a', 'e', 'd']) {
      ids.push(await newCollection(app, pia, title))
      clock.forward(minute)
    }
    for (const id of ids) await pia.delete(`/collections/${id}`)
    await newCollection(app, pia, 'kept')
    const walk = async (query: string) => {
      const pages: string[] = []
      for (let path: string | undefined = `/collections?parent=trash&limit=2&${query}`; path; ) {
        const { body, headers } = await pia.get(path)
        pages.push(body.map(({ title }: { title: string }) => title).join(''))
        path = linksOf(headers, app.url).next
      }
      return pages
    }
    expect(await walk('')).toEqual(['de', 'ac', 'b'])
    expect(await walk('sort=title')).toEqual(['ab', 'cd', 'e'])
    expect(await walk('sort=modificationDate&direction=asc')).toEqual(['bc', 'ae', 'd'])
  })
})
