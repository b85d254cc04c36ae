import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newComment, placesIn } from '../../../../test/support/comments.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('updateScoreComment', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string

  const newScore = async (privacy = 'organizationPublic'): Promise<string> =>
    (
      await people.tess.post('/scores', {
        data: musicXml({ measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] }),
        privacy,
      })
    ).body.id
  const post = async (body: object, by = people.sam, on = score) =>
    (await by.post(`/scores/${on}/comments`, body)).body
  const change = (id: string, body: unknown, by = people.sam, on = score) =>
    by.put(`/scores/${on}/comments/${id}`, body)

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore()
  })

  it('changes the text and the modification date', async () => {
    const before = await post({ comment: 'Befor' })
    clock.forward(minute)
    const { status, body } = await change(before.id, { comment: 'Before' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      comment: 'Before',
      rawComment: 'Before',
      modificationDate: new Date(clock.now()).toISOString(),
    })
    const listed = (await people.tess.get(`/scores/${score}/comments`)).body
    expect(listed).toContainEqual(body)
  })

  it('derives a missing form of the text from the other, and updates the mentions', async () => {
    const { sol, tess } = people
    const marked = `Listen, @[${sol.id}:sol]`
    const { id } = await post({ comment: 'A', rawComment: `@[${tess.id}:tess]` })
    const { body } = await change(id, { rawComment: marked })
    expect(body).toMatchObject({ comment: 'Listen, @sol', rawComment: marked, mentions: [sol.id] })
    expect((await change(id, { comment: 'Nothing' })).body).toMatchObject({
      rawComment: 'Nothing',
      mentions: [],
    })
    const both = { comment: marked, rawComment: 'Listen, sol' }
    expect((await change(id, both)).body).toMatchObject({ ...both, mentions: [sol.id] })
  })

  it('keeps the fields that are not given', async () => {
    const { place } = await placesIn(people.tess, score)
    const before = await post({ comment: 'Here', rawComment: `@[${people.sol.id}:sol]`, context: place })
    expect((await change(before.id, {})).body).toMatchObject(before)
    expect((await change(before.id, { comment: 'There' })).body).toMatchObject({
      context: place,
      type: 'inline',
    })
  })

  it('moves to another position, in the last revision or the given one', async () => {
    const on = await newScore()
    const [first] = (await people.tess.get(`/scores/${on}/revisions`)).body
    const { measures, place } = await placesIn(people.tess, on)
    const { id } = await post({ comment: 'Of all' }, people.sam, on)
    const second = (await people.tess.post(`/scores/${on}/revisions`, { data: musicXml() })).body
    const moved = (await change(id, { context: place }, people.sam, on)).body
    expect(moved).toMatchObject({ comment: 'Of all', type: 'inline', context: place, revision: second.id })
    const context = { ...place, measureUuids: [measures[1]] }
    const refused = await change(id, { context }, people.sam, on)
    expect([refused.status, refused.body.param]).toEqual([400, 'context.measureUuids.0'])
    const old = (await change(id, { context, revision: first.id }, people.sam, on)).body
    expect(old).toMatchObject({ context, revision: first.id })
    // The position does not exist in the other revision.
    expect((await change(id, { revision: second.id }, people.sam, on)).body.param).toBe(
      'context.measureUuids.0',
    )
    expect((await change(id, { revision: 'first' }, people.sam, on)).body.code).toBe('REVISION_NOT_FOUND')
  })

  it.each<[string, unknown]>([
    ['comment', { comment: '' }],
    ['comment', { comment: '  ' }],
    ['comment', { comment: null }],
    ['comment', { comment: 'x'.repeat(10_001) }],
    ['rawComment', { comment: 'A', rawComment: ' ' }],
    ['context', { context: null }],
    ['context.measureUuids', { context: { partUuid: 'P1' } }],
    ['body', null],
  ])('names the invalid field %s and changes nothing', async (param, body) => {
    const before = await post({ comment: 'Before' })
    const reply = await change(before.id, body)
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'INVALID_PARAMETER', param])
    expect((await people.tess.get(`/scores/${score}/comments`)).body).toContainEqual(before)
  })

  it('allows only the author', async () => {
    const { id } = await post({ comment: 'Mine' })
    for (const other of [people.tess, people.sol]) {
      const { status, body } = await change(id, { comment: 'Yours' }, other)
      expect([status, body.code]).toEqual([403, 'COMMENT_ACCESS_DENIED'])
    }
  })

  it('returns 404 for a comment on another score', async () => {
    const { id } = await post({ comment: 'Mine' })
    const on = await newScore()
    for (const [comment, where] of [
      [id, on],
      ['0123456789abcdef01234567', score],
      ['mine', score],
    ] as const) {
      const { status, body } = await change(comment, { comment: 'Elsewhere' }, people.sam, where)
      expect([status, body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
    }
  })

  it('returns 404 to an author who lost access to the score', async () => {
    const on = await newScore()
    const { id } = await post({ comment: 'Mine' }, people.sam, on)
    await people.tess.put(`/scores/${on}`, { privacy: 'private' })
    for (const body of [{ comment: 'Still mine' }, { revision: 'last' }]) {
      const reply = await change(id, body, people.sam, on)
      expect([reply.status, reply.body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    }
    expect((await people.tess.get(`/scores/${on}/comments`)).body).toMatchObject([{ comment: 'Mine' }])
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    const id = await newComment(app, on)
    await people.tess.delete(`/scores/${on}`)
    for (const body of [{ comment: 'Late' }, { revision: 'last' }]) {
      const reply = await change(id, body, people.tess, on)
      expect([reply.status, reply.body.code]).toEqual([409, 'SCORE_TRASHED'])
    }
  })

  it('keeps the fields of two simultaneous changes', async () => {
    const { place } = await placesIn(people.tess, score)
    const { id } = await post({ comment: 'Before' })
    await Promise.all([change(id, { comment: 'After' }), change(id, { context: place })])
    const listed = (await people.tess.get(`/scores/${score}/comments`)).body
    expect(listed).toContainEqual(expect.objectContaining({ id, comment: 'After', context: place }))
  })
})
