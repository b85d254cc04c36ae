import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newApp, newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { give } from '../../../../test/support/sharing.ts'

describeEachDatabase('editCollection', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let tess: Person
  let id: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    id = await newCollection(app, tess, 'Concert')
  })

  const edit = (person: Person, body: unknown, collection = id) =>
    person.put(`/collections/${collection}`, body)

  it('changes the title and the modification date', async () => {
    clock.forward(minute)
    const before = (await tess.get(`/collections/${id}`)).body
    const { status, body } = await edit(tess, { title: 'Concert in May' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      title: 'Concert in May',
      modificationDate: new Date(clock.now()).toISOString(),
    })
    expect((await tess.get(`/collections/${id}`)).body).toEqual(body)
  })

  it('updates the sort order of lists', async () => {
    const pia = await app.person('pia')
    const a = await newCollection(app, pia, 'A')
    await newCollection(app, pia, 'B')
    await edit(pia, { title: 'C' }, a)
    const { body } = await pia.get('/collections?sort=title')
    const regular = body.filter(({ type }: { type: string }) => type === 'regular')
    expect(regular.map(({ title }: { title: string }) => title)).toEqual(['B', 'C'])
  })

  it('keeps the title if none is given', async () => {
    const { title } = (await tess.get(`/collections/${id}`)).body
    expect((await edit(tess, { privacy: 'private' })).body.title).toBe(title)
  })

  it.each<[unknown, string]>([
    [{ title: '' }, 'title'],
    [{ title: '  ' }, 'title'],
    [{ title: 'x'.repeat(301) }, 'title'],
    [{ title: null }, 'title'],
    [{ isPinned: 'yes' }, 'isPinned'],
    [{ privacy: 'public' }, 'privacy'],
    [{ privacy: 'organizationPublic' }, 'privacy'],
  ])('refuses %j', async (body, param) => {
    const refused = await edit(tess, body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  it('requires write access', async () => {
    const shared = await newCollection(app, tess, 'Shared')
    await give(app, { on: 'collection', id: shared }, { user: people.theo.id }, 'write')
    await give(app, { on: 'collection', id: shared }, { user: people.sam.id }, 'read')
    const { body } = await edit(people.theo, { title: 'Shared by all' }, shared)
    expect(body).toMatchObject({
      title: 'Shared by all',
      user: { id: tess.id },
      capabilities: { canEdit: true },
    })
    const refused = await edit(people.sam, { title: 'Sam’s' }, shared)
    expect([refused.status, refused.body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    expect((await tess.get(`/collections/${shared}`)).body.title).toBe('Shared by all')
  })

  it('pins and unpins a collection of the caller', async () => {
    const pinned = await newCollection(app, tess, 'Pinned')
    const isPinned = async (person: Person) => (await person.get(`/collections/${pinned}`)).body.isPinned
    await give(app, { on: 'collection', id: pinned }, { user: people.theo.id }, 'admin')
    expect([await isPinned(tess), await isPinned(people.theo)]).toEqual([false, false])
    expect((await edit(tess, { isPinned: true }, pinned)).body).toMatchObject({
      isPinned: true,
      title: 'Pinned',
    })
    expect((await edit(tess, { title: 'Still pinned' }, pinned)).body.isPinned).toBe(true)
    const listed = (await tess.get('/collections?limit=100')).body.find(
      ({ id }: { id: string }) => id === pinned,
    )
    expect([listed.isPinned, await isPinned(people.theo)]).toEqual([true, true])
    const refused = await edit(people.theo, { isPinned: false }, pinned)
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([
      403,
      'COLLECTION_ACCESS_DENIED',
      'isPinned',
    ])
    expect((await edit(tess, { isPinned: false }, pinned)).body.isPinned).toBe(false)
  })

  it('renames the collection of an app, which keeps belonging to the app', async () => {
    const tuner = await newApp(app, tess, 'Tuner')
    const { body } = await tuner.put('/collections/app', { title: 'Exercises' })
    expect(body).toMatchObject({ type: 'app', title: 'Exercises', app: { id: tuner.id, name: 'Tuner' } })
    expect((await tuner.get('/collections/app')).body).toEqual(body)
  })

  it.each(['root', 'allScores', 'trash'])('refuses to change %s', async (alias) => {
    const { status, body } = await edit(tess, { title: 'Mine' }, alias)
    expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
  })

  it('refuses a collection in the trash', async () => {
    const trashed = await newCollection(app, tess, 'Thrown away')
    await tess.delete(`/collections/${trashed}`)
    const { status, body } = await edit(tess, { title: 'Again' }, trashed)
    expect([status, body.code]).toEqual([409, 'COLLECTION_TRASHED'])
    expect((await tess.get(`/collections/${trashed}`)).body.title).toBe('Thrown away')
  })
})
