import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, type TestApp, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('editScore', (databases) => {
  const clock = testClock()
  const app: TestApp = useApp(databases, {}, { clock })
  let people: School
  let tess: Person
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    score = await newScore()
  })

  const newScore = async (fields = {}) =>
    (await tess.post('/scores', { data: musicXml({ title: 'Before', composer: 'A. Known' }), ...fields }))
      .body.id
  const edit = (change: unknown) => tess.put(`/scores/${score}`, change)
  const scoreNow = async () => (await tess.get(`/scores/${score}`)).body

  const everything = {
    title: 'After',
    subtitle: 'A subtitle',
    composer: 'B. New',
    lyricist: 'L. Words',
    arranger: 'A. Range',
    description: 'What it is.',
    tags: ['slow', 'Easy2'],
    creationType: 'arrangement',
    license: 'cc-by',
    licenseText: 'Name me.',
  }

  it('changes the given fields and returns the whole score', async () => {
    const { status, body } = await edit(everything)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...everything, id: score, privacy: 'private' })
    expect(await scoreNow()).toEqual(body)
  })

  it('keeps the fields that are not given', async () => {
    await edit(everything)
    const { body } = await edit({ subtitle: 'Another' })
    expect(body).toMatchObject({ ...everything, subtitle: 'Another' })
  })

  it('clears the fields that are null', async () => {
    await edit(everything)
    const { title, tags, ...clearable } = everything
    const nulls = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]))
    const { body } = await edit(nulls)
    expect(body).toMatchObject({ title, tags, creationType: null, license: null })
    for (const field of ['subtitle', 'composer', 'lyricist', 'arranger', 'description', 'licenseText']) {
      expect(body[field]).toBeUndefined()
    }
  })

  it('accepts POST as well as PUT, with the same partial update', async () => {
    const id = await newScore({ privacy: 'organizationPublic' })
    const { status, body } = await tess.post(`/scores/${id}`, { title: 'By POST' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'By POST', composer: 'A. Known', privacy: 'organizationPublic' })
  })

  it('accepts an empty change', async () => {
    expect((await edit({})).status).toBe(200)
  })

  it('updates only the modification date', async () => {
    const before = await scoreNow()
    clock.forward(minute)
    const { body } = await edit({ title: 'Later' })
    expect(body.creationDate).toBe(before.creationDate)
    expect(Date.parse(body.modificationDate)).toBe(clock.now())
  })

  it('keeps the date of the first publication', async () => {
    const { otto } = people
    const { id } = (await otto.post('/scores', { data: musicXml() })).body
    const published = (await otto.put(`/scores/${id}`, { privacy: 'public' })).body.publicationDate
    expect(Date.parse(published)).toBe(clock.now())
    clock.forward(minute)
    await otto.put(`/scores/${id}`, { privacy: 'private' })
    const { body } = await otto.put(`/scores/${id}`, { privacy: 'public' })
    expect(body.publicationDate).toBe(published)
  })

  it('refuses to make a score public if the organization forbids it, but accepts an unchanged privacy', async () => {
    const id = await newScore()
    const { status, body } = await tess.put(`/scores/${id}`, { privacy: 'public', title: 'Seen' })
    expect([status, body.code, body.param]).toEqual([403, 'PUBLIC_SCORES_DISABLED', 'privacy'])
    expect((await tess.get(`/scores/${id}`)).body).toMatchObject({ privacy: 'private', title: 'Before' })
    await allowPublicScores(app, people.id, true)
    expect((await tess.put(`/scores/${id}`, { privacy: 'public' })).status).toBe(200)
    await allowPublicScores(app, people.id, false)
    expect((await tess.put(`/scores/${id}`, { privacy: 'public', title: 'Still' })).body.title).toBe('Still')
  })

  it('keeps the sharing key until a new one is given', async () => {
    const id = await newScore({ privacy: 'privateLink' })
    const key = (await tess.get(`/scores/${id}`)).body.sharingKey
    expect((await tess.put(`/scores/${id}`, { title: 'Still' })).body.sharingKey).toBe(key)
    const other = 'f0'.repeat(64)
    expect((await tess.put(`/scores/${id}`, { sharingKey: other })).body.sharingKey).toBe(other)
    expect((await people.sam.get(`/scores/${id}?sharingKey=${key}`)).status).toBe(404)
    expect((await people.sam.get(`/scores/${id}?sharingKey=${other}`)).status).toBe(200)
  })

  it('updates the sort order of lists', async () => {
    const id = await newScore({ title: 'Zebra' })
    await tess.put(`/scores/${id}`, { title: 'Ääh' })
    const [first] = (await tess.get('/collections/app/scores?sort=title&limit=1')).body
    expect(first).toMatchObject({ id, title: 'Ääh' })
  })

  it.each<[string, Record<string, unknown>]>([
    ['title', { title: 5 }],
    ['title', { title: null }],
    ['title', { title: '' }],
    ['title', { title: '  ' }],
    ['title', { title: 'x'.repeat(1001) }],
    ['composer', { composer: true }],
    ['subtitle', { subtitle: 'x'.repeat(1001) }],
    ['description', { description: 'x'.repeat(2001) }],
    ['licenseText', { licenseText: 'x'.repeat(10_001) }],
    ['tags', { tags: 'slow' }],
    ['tags.1', { tags: ['slow', 'two words'] }],
    ['tags.0', { tags: ['x'.repeat(31)] }],
    ['tags.0', { tags: [7] }],
    ['privacy', { privacy: 'open' }],
    ['privacy', { privacy: null }],
    ['license', { license: 'mine' }],
    ['creationType', { creationType: 'stolen' }],
    ['sharingKey', { sharingKey: 'F0'.repeat(64) }],
    ['sharingKey', { sharingKey: 'f0' }],
    ['title', { title: 'a\0b' }],
    ['composer', { composer: 'half \ud83c of a pair' }],
  ])('names the invalid field %s and changes nothing', async (param, change) => {
    const before = await scoreNow()
    const { status, body } = await edit({ arranger: 'Not kept', ...change })
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
    expect(await scoreNow()).toEqual(before)
  })

  it('ignores unknown and read-only fields', async () => {
    const before = await scoreNow()
    const { status, body } = await edit({
      id: 'other',
      user: 'other',
      numberMeasures: 99,
      colour: 'red',
      arranger: 'Kept',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: score,
      user: { id: tess.id },
      numberMeasures: before.numberMeasures,
      arranger: 'Kept',
    })
  })

  it('requires a body', async () => {
    const { status, body } = await tess.put(`/scores/${score}`)
    expect([status, body.param]).toEqual([400, 'body'])
    for (const wrong of [null, [], 'title']) expect((await edit(wrong)).status).toBe(400)
  })

  it('refuses a score that is in the trash', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    const { status, body } = await tess.put(`/scores/${id}`, { title: 'Too late' })
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })

  describe('by other users', () => {
    it('returns 403 to readers of the score and 404 to users who cannot see it', async () => {
      const id = await newScore({ privacy: 'organizationPublic' })
      const seen = await people.sam.put(`/scores/${id}`, { title: 'Mine' })
      expect([seen.status, seen.body.code]).toEqual([403, 'SCORE_ACCESS_DENIED'])
      const unseen = await people.otto.put(`/scores/${id}`, { title: 'Mine' })
      const missing = await people.otto.put('/scores/0123456789abcdef01234567', { title: 'Mine' })
      expect(unseen.status).toBe(404)
      expect(unseen.body).toEqual(missing.body)
    })

    it('returns 403 to a user who has only the sharing key', async () => {
      const id = await newScore({ privacy: 'privateLink' })
      const key = (await tess.get(`/scores/${id}`)).body.sharingKey
      expect((await people.sam.put(`/scores/${id}?sharingKey=${key}`, { title: 'Mine' })).status).toBe(404)
    })
  })

  it('keeps the fields of two simultaneous changes', async () => {
    const id = await newScore()
    await Promise.all([
      tess.put(`/scores/${id}`, { subtitle: 'One' }),
      tess.put(`/scores/${id}`, { arranger: 'Two' }),
      tess.put(`/scores/${id}`, { lyricist: 'Three' }),
    ])
    const { body } = await tess.get(`/scores/${id}`)
    expect(body).toMatchObject({ subtitle: 'One', arranger: 'Two', lyricist: 'Three' })
  })
})
