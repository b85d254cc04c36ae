import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newComment, placesIn } from '../../../../test/support/comments.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeEachDatabase('postScoreComment', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string

  const newScore = async (fields = {}, owner = people.tess): Promise<string> =>
    (await owner.post('/scores', { data: musicXml({ measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] }), ...fields }))
      .body.id
  const comment = (body: unknown, on = score, by = people.tess) => by.post(`/scores/${on}/comments`, body)
  const placeIn = async (on: string, revision = 'last') => (await placesIn(people.tess, on, revision)).place
  const total = async (on: string) => (await people.tess.get(`/scores/${on}`)).body.comments.total

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore({ privacy: 'organizationPublic' })
  })

  it('returns the comment and adds it to the list', async () => {
    const on = await newScore()
    const { status, body } = await comment({ comment: 'A little slower' }, on)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: 'document',
      user: people.tess.id,
      score: on,
      revision: expect.stringMatching(/^[0-9a-f]{24}$/),
      date: new Date(clock.now()).toISOString(),
      comment: 'A little slower',
      rawComment: 'A little slower',
      mentions: [],
      resolved: false,
    })
    expect((await people.tess.get(`/scores/${on}/comments`)).body).toEqual([body])
  })

  it('requires read access, which the sharing key also gives', async () => {
    expect((await comment({ comment: 'Nice' }, score, people.sam)).body.user).toBe(people.sam.id)
    const shared = (await people.tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    expect((await comment({ comment: 'Nice' }, shared.id, people.sam)).status).toBe(404)
    const byKey = `/scores/${shared.id}/comments?sharingKey=${shared.sharingKey}`
    expect((await people.sam.post(byKey, { comment: 'Nice' })).status).toBe(200)
    expect((await app.anonymous.post(byKey, { comment: 'Nice' })).status).toBe(401)
  })

  it.each<[string, unknown]>([
    ['comment', {}],
    ['comment', { comment: '' }],
    ['comment', { comment: ' \n\t ' }],
    ['comment', { comment: 7 }],
    ['comment', { comment: null }],
    ['comment', { comment: 'x'.repeat(10_001) }],
    ['comment', { comment: 'a\0b' }],
    ['rawComment', { comment: 'Nice', rawComment: '' }],
    ['rawComment', { comment: 'Nice', rawComment: ' ' }],
    ['rawComment', { comment: 'Nice', rawComment: 'x'.repeat(10_001) }],
    ['mentions', { comment: 'Nice', mentions: 'sam' }],
    ['replyTo', { comment: 'Nice', replyTo: 1 }],
    ['revision', { comment: 'Nice', revision: 1 }],
    ['context.partUuid', { comment: 'Nice', context: {} }],
  ])('names the invalid field %s: %j', async (param, body) => {
    const before = await total(score)
    const reply = await comment(body)
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'INVALID_PARAMETER', param])
    expect(await total(score)).toBe(before)
  })

  it('accepts 10,000 characters of any kind', async () => {
    const text = '𝄞'.repeat(10_000)
    expect((await comment({ comment: text })).body.comment).toBe(text)
  })

  it('updates the comment count of the score, also simultaneously, but not its modification date', async () => {
    const on = await newScore()
    const before = (await people.tess.get(`/scores/${on}`)).body
    expect(before.comments.total).toBe(0)
    clock.forward(minute)
    await Promise.all(Array.from({ length: 20 }, (_, n) => comment({ comment: `Number ${n}` }, on)))
    const { body } = await people.tess.get(`/scores/${on}`)
    expect(body).toEqual({ ...before, comments: { ...before.comments, total: 20 } })
    const [listed] = (await people.tess.get('/collections/app/scores?sort=creationDate')).body
    expect(listed).toMatchObject({ id: on, comments: { total: 20 } })
  })

  it('does not count inline comments, even after a comment becomes one', async () => {
    const on = await newScore()
    const context = await placeIn(on)
    const general = (await comment({ comment: 'All of it' }, on)).body.id
    const inline = (await comment({ comment: 'Here', context }, on)).body.id
    await comment({ comment: 'Yes', replyTo: inline }, on)
    await comment({ comment: 'Also', replyTo: general }, on)
    expect(await total(on)).toBe(2)
    await people.tess.put(`/scores/${on}/comments/${general}`, { context })
    expect(await total(on)).toBe(0)
    await comment({ comment: 'In general' }, on)
    await people.tess.delete(`/scores/${on}/comments/${inline}`)
    expect(await total(on)).toBe(1)
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    await people.tess.delete(`/scores/${on}`)
    for (const more of [{}, { context: await placeIn(score) }]) {
      const { status, body } = await comment({ comment: 'Late', ...more }, on)
      expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
    }
  })

  describe('revision', () => {
    it('defaults to the last revision', async () => {
      const on = await newScore()
      const [first] = (await people.tess.get(`/scores/${on}/revisions`)).body
      const second = (await people.tess.post(`/scores/${on}/revisions`, { data: musicXml() })).body
      expect((await comment({ comment: 'A' }, on)).body.revision).toBe(second.id)
      expect((await comment({ comment: 'A', revision: 'last' }, on)).body.revision).toBe(second.id)
      expect((await comment({ comment: 'A', revision: first.id }, on)).body.revision).toBe(first.id)
    })

    it('of another score or of none returns 404', async () => {
      const [other] = (await people.tess.get(`/scores/${await newScore()}/revisions`)).body
      for (const revision of [other.id, '0123456789abcdef01234567', 'first', '']) {
        const { status, body } = await comment({ comment: 'A', revision })
        expect([status, body.code, body.param]).toEqual([404, 'REVISION_NOT_FOUND', 'revision'])
      }
    })
  })

  describe('inline', () => {
    it('stores only the known fields of the position', async () => {
      const context = { ...(await placeIn(score)), staffIdx: 0, staffUuid: 'one' }
      const { status, body } = await comment({ comment: 'Here', context: { ...context, colour: 'red' } })
      expect(status).toBe(200)
      expect(body).toMatchObject({ type: 'inline', context })
      const stored = await app.ctx.db.read
        .selectFrom('score_comments')
        .select('context')
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(stored.context ?? '')).toEqual(context)
    })

    it('requires a part and measures of the revision', async () => {
      const { parts, measures, place } = await placesIn(people.tess, score)
      const wrong: [string, object][] = [
        ['context.partUuid', { partUuid: 'P1' }],
        ['context.partUuid', { partUuid: measures[0] }],
        ['context.measureUuids.0', { measureUuids: [parts[0]] }],
        ['context.measureUuids.1', { measureUuids: [measures[1], crypto.randomUUID()] }],
        ['context.measureUuids.0', { measureUuids: [''] }],
      ]
      for (const [param, change] of wrong) {
        const { status, body } = await comment({ comment: 'Where?', context: { ...place, ...change } })
        expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
      }
      const all = { ...place, measureUuids: measures }
      expect((await comment({ comment: 'All of it', context: all })).status).toBe(200)
    })

    it('checks the position in the requested revision', async () => {
      const on = await newScore()
      const [first] = (await people.tess.get(`/scores/${on}/revisions`)).body
      const { measures, place } = await placesIn(people.tess, on)
      const context = { ...place, measureUuids: measures.slice(1) }
      await people.tess.post(`/scores/${on}/revisions`, { data: musicXml() })
      expect((await comment({ comment: 'It was here', context }, on)).body.param).toBe(
        'context.measureUuids.0',
      )
      const { body } = await comment({ comment: 'It was here', context, revision: first.id }, on)
      expect(body).toMatchObject({ type: 'inline', revision: first.id, context })
    })

    it('returns 404 for a score the caller cannot see', async () => {
      const on = await newScore()
      const context = await placeIn(on)
      for (const body of [{ context }, { context: { ...context, partUuid: 'P1' } }, { revision: 'first' }]) {
        const reply = await comment({ comment: 'Spying', ...body }, on, people.otto)
        expect([reply.status, reply.body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
      }
    })
  })

  describe('reply', () => {
    it('belongs to the thread of the comment, even if that is a reply', async () => {
      const first = (await comment({ comment: 'Why so fast?' })).body
      const reply = (await comment({ comment: 'It is an allegro', replyTo: first.id }, score, people.sam))
        .body
      const second = (await comment({ comment: 'Fine', replyTo: reply.id })).body
      expect([reply.replyTo, second.replyTo]).toEqual([first.id, first.id])
    })

    it('has the position of its thread unless it has its own', async () => {
      const { place, measures } = await placesIn(people.tess, score)
      const first = (await comment({ comment: 'Here', context: place })).body
      const reply = (await comment({ comment: 'I see', replyTo: first.id })).body
      expect(reply).toMatchObject({ type: 'inline', context: place })
      const context = { ...place, measureUuids: measures.slice(1) }
      expect((await comment({ comment: 'And there', replyTo: first.id, context })).body.context).toEqual(
        context,
      )
    })

    it('returns 404 if the comment is on another score or does not exist', async () => {
      const otherComment = await newComment(app, await newScore())
      for (const replyTo of [otherComment, '0123456789abcdef01234567', 'first', '']) {
        const { status, body } = await comment({ comment: 'What?', replyTo })
        expect([status, body.code, body.param]).toEqual([404, 'COMMENT_NOT_FOUND', 'replyTo'])
      }
    })
  })

  describe('mentions', () => {
    const markup = ({ id, username }: { id: string; username: string }) => `@[${id}:${username}]`

    it('are collected from both forms of the text, each once', async () => {
      const { sam, sol } = people
      const marked = `${markup(sol)} and ${markup(sam)}: listen to ${markup(sol)}`
      const plain = '@sol and @sam: listen to @sol'
      const one = (await comment({ comment: marked, rawComment: plain, mentions: [people.theo.id] })).body
      expect(one).toMatchObject({ comment: marked, rawComment: plain, mentions: [sol.id, sam.id] })
      const other = (await comment({ comment: plain, rawComment: marked })).body
      expect(other).toMatchObject({ comment: plain, rawComment: marked, mentions: [sol.id, sam.id] })
    })

    it('are stored only if both forms of the text are given', async () => {
      const text = `Listen, ${markup(people.sam)}`
      const { body } = await comment({ comment: text, mentions: [people.sam.id] })
      expect(body).toMatchObject({ comment: text, rawComment: text, mentions: [] })
    })

    it('include only users who can read the score without its link', async () => {
      const { tess, sam, sol, otto } = people
      const everyone = [tess, sam, sol, otto].map(markup).join(' ')
      const on = await newScore()
      await give(app, { on: 'score', id: on }, { user: sam.id }, 'read')
      const { body } = await comment({ comment: everyone, rawComment: everyone }, on)
      expect(body.mentions).toEqual([tess.id, sam.id])
      const shared = await newScore({ privacy: 'privateLink' })
      expect((await comment({ comment: everyone, rawComment: everyone }, shared)).body.mentions).toEqual([
        tess.id,
      ])
    })

    it('include only users whom the author can see', async () => {
      const { sam, sol, otto } = people
      const on = await newScore({ privacy: 'public' }, otto)
      const both = `${markup(sol)} ${markup(otto)} ${markup({ id: '0123456789abcdef01234567', username: 'nobody' })}`
      expect((await comment({ comment: both, rawComment: both }, on, otto)).body.mentions).toEqual([otto.id])
      expect((await comment({ comment: both, rawComment: both }, on, sam)).body.mentions).toEqual([
        sol.id,
        otto.id,
      ])
    })
  })
})
