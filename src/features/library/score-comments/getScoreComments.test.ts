import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import type { Client } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newComment, placesIn } from '../../../../test/support/comments.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeEachDatabase('getScoreComments', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const newScore = async (privacy = 'private', owner = people.tess): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), privacy })).body.id
  const list = async (client: Client, score: string, query = '') =>
    (await client.get(`/scores/${score}/comments${query}`)).body
  const texts = async (client: Client, score: string, query = '') =>
    (await list(client, score, query)).map(({ comment }: { comment: string }) => comment)

  it('lists the comments oldest first or newest first', async () => {
    const score = await newScore()
    expect(await list(people.tess, score)).toEqual([])
    for (const comment of ['One', 'Two', 'Three']) {
      clock.forward(minute)
      await people.tess.post(`/scores/${score}/comments`, { comment })
    }
    expect(await texts(people.tess, score)).toEqual(['One', 'Two', 'Three'])
    expect(await texts(people.tess, score, '?sort=date&direction=asc')).toEqual(['One', 'Two', 'Three'])
    expect(await texts(people.tess, score, '?sort=date&direction=desc')).toEqual(['Three', 'Two', 'One'])
    const dates = (await list(people.tess, score)).map(({ date }: { date: string }) => Date.parse(date))
    expect(dates).toEqual([clock.now() - 2 * minute, clock.now() - minute, clock.now()])
  })

  it('filters by type; a reply has the type of its thread', async () => {
    const score = await newScore()
    const { place } = await placesIn(people.tess, score)
    const post = async (body: object) => (await people.tess.post(`/scores/${score}/comments`, body)).body.id
    const general = await post({ comment: 'Of all' })
    const inline = await post({ comment: 'Here', context: place })
    await post({ comment: 'Here indeed', replyTo: inline })
    await post({ comment: 'All of it', replyTo: general })
    expect(await texts(people.tess, score, '?type=inline')).toEqual(['Here', 'Here indeed'])
    expect(await texts(people.tess, score, '?type=document&direction=desc')).toEqual(['All of it', 'Of all'])
    expect((await list(people.tess, score, '?type=inline'))[1]).toMatchObject({
      type: 'inline',
      context: place,
    })
  })

  it.each(['type=other', 'sort=title', 'direction=up'])('refuses ?%s', async (query) => {
    const { status, body } = await people.tess.get(`/scores/${await newScore()}/comments?${query}`)
    expect([status, body.param]).toEqual([400, query.split('=')[0]])
  })

  it('lists only the comments on this score', async () => {
    const [one, other] = [await newScore(), await newScore()]
    await newComment(app, other)
    expect(await list(people.tess, one)).toEqual([])
  })

  it('allows readers of the score, and only its owner while it is in the trash', async () => {
    const score = await newScore('public', people.otto)
    await newComment(app, score, { comment: 'Seen' })
    for (const client of [app.anonymous, people.sam]) expect(await texts(client, score)).toEqual(['Seen'])
    await people.otto.delete(`/scores/${score}`)
    for (const client of [app.anonymous, people.sam]) {
      const { status, body } = await client.get(`/scores/${score}/comments`)
      expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    }
    expect(await texts(people.otto, score)).toEqual(['Seen'])
  })

  it('returns at most the newest 10,000 comments', async () => {
    const score = await newScore()
    const oldest = await newComment(app, score, { comment: 'The oldest' })
    await insertCopies(score, oldest, 9_999)
    expect((await list(people.tess, score)).length).toBe(10_000)
    const newest = await newComment(app, score, { comment: 'The newest' })
    const listed = await list(people.tess, score)
    expect([listed.length, listed.at(-1).id]).toEqual([10_000, newest])
    expect(listed[0].comment).toBe('A copy')
  })

  it('returns at most 16 MiB of text, newest first', async () => {
    const score = await newScore()
    const oldest = await newComment(app, score, { comment: 'The oldest' })
    await insertCopies(score, oldest, 900, '♩'.repeat(5_000))
    const listed = await list(people.tess, score)
    expect(listed.length).toBe(Math.floor((16 * 1024 * 1024) / 30_000))
    expect(listed.at(-1).id).toBe((await list(people.tess, score, '?direction=desc'))[0].id)
  })

  /** Inserts this number of copies of a comment. */
  async function insertCopies(score: string, of: string, count: number, comment = 'A copy'): Promise<void> {
    await app.ctx.transaction(async (tx) => {
      const row = await tx
        .selectFrom('score_comments')
        .selectAll()
        .where('id', '=', of)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: count }, () => ({
        ...row,
        id: app.ctx.newId(),
        comment,
        raw_comment: comment,
      }))
      while (rows.length > 0) await tx.insertInto('score_comments').values(rows.splice(0, 500)).execute()
      expect(row.score_id).toBe(score)
    })
  }

  describe('hidden comment', () => {
    let score: string
    let hidden: string
    let reply: string

    beforeAll(async () => {
      const { tess, theo, tara, sam, sol } = people
      score = await newScore('organizationPublic')
      await give(app, { on: 'score', id: score }, { user: theo.id }, 'admin')
      await give(app, { on: 'score', id: score }, { user: tara.id }, 'write')
      hidden = await newComment(app, score, { user_id: sam.id, comment: 'canary', hidden: 'inappropriate' })
      reply = await newComment(app, score, { user_id: sol.id, comment: 'canary, you say?', reply_to: hidden })
      await newComment(app, score, { user_id: tess.id, comment: 'Seen' })
    })

    it('is shown with the reason to its author and to administrators of the score', async () => {
      for (const client of [people.sam, people.tess, people.theo]) {
        const [comment] = await list(client, score)
        expect(comment).toMatchObject({ id: hidden, moderation: { hidden: true, reason: 'inappropriate' } })
        expect(comment.spam).toBeUndefined()
        expect(await texts(client, score)).toEqual(['canary', 'canary, you say?', 'Seen'])
      }
    })

    it('is marked as spam if that is the reason', async () => {
      const on = await newScore()
      await newComment(app, on, { hidden: 'spam' })
      expect((await list(people.tess, on))[0]).toMatchObject({
        spam: true,
        moderation: { hidden: true, reason: 'spam' },
      })
    })

    it('is invisible with its replies to all other users', async () => {
      const { tara, sol, ada } = people
      const missing = '0123456789abcdef01234567'
      for (const client of [tara, sol, ada]) {
        const answers = [await client.get(`/scores/${score}/comments`)]
        for (const id of [hidden, reply]) {
          for (const [method, behind, body] of [
            ['PUT', '', { comment: 'Mine' }],
            ['DELETE', ''],
            ['PUT', '/resolved'],
            ['DELETE', '/resolved'],
          ] as const) {
            const answer = await client.request(method, `/scores/${score}/comments/${id}${behind}`, body)
            const none = await client.request(method, `/scores/${score}/comments/${missing}${behind}`, body)
            expect([answer.status, answer.body]).toEqual([404, none.body])
            answers.push(answer)
          }
          const answered = await client.post(`/scores/${score}/comments`, { comment: 'What?', replyTo: id })
          expect([answered.status, answered.body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
          answers.push(answered, await client.get(`/scores/${score}`))
        }
        const sent = answers.map(({ bytes }) => Buffer.from(bytes).toString()).join()
        for (const canary of ['canary', hidden, reply]) expect(sent).not.toContain(canary)
        expect(await texts(client, score)).toEqual(['Seen'])
      }
      expect(await texts(people.tess, score)).toEqual(['canary', 'canary, you say?', 'Seen'])
    })

    it('stays hidden when its author changes it', async () => {
      await people.sam.put(`/scores/${score}/comments/${hidden}`, { comment: 'canary again' })
      expect(await texts(people.sol, score)).toEqual(['Seen'])
      await people.sam.put(`/scores/${score}/comments/${hidden}`, { comment: 'canary' })
    })
  })
})
