import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { newComment } from '../../../../test/support/comments.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeEachDatabase('deleteScoreComment', (databases) => {
  const app = useApp(databases)
  let people: School
  let score: string

  const newScore = async (privacy = 'organizationPublic'): Promise<string> =>
    (await people.tess.post('/scores', { ...emptyPiano(), privacy })).body.id
  const remove = (id: string, by = people.tess, on = score) => by.delete(`/scores/${on}/comments/${id}`)
  const remaining = async (on = score) => {
    const [comments, details] = [
      await people.tess.get(`/scores/${on}/comments`),
      await people.tess.get(`/scores/${on}`),
    ]
    expect(details.body.comments.total).toBe(comments.body.length)
    return comments.body.map(({ comment }: { comment: string }) => comment)
  }

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore()
  })

  it('deletes the comment permanently', async () => {
    const on = await newScore()
    await newComment(app, on, { comment: 'Kept' })
    const id = await newComment(app, on)
    expect((await remove(id, people.tess, on)).status).toBe(204)
    expect(await remaining(on)).toEqual(['Kept'])
    const again = await remove(id, people.tess, on)
    expect([again.status, again.body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
  })

  it('deletes the replies with the first comment of a thread, and a reply alone', async () => {
    const on = await newScore()
    const first = await newComment(app, on, { comment: 'First' })
    const reply = await newComment(app, on, { comment: 'Reply', reply_to: first, user_id: people.sam.id })
    await newComment(app, on, { comment: 'Another reply', reply_to: first })
    await newComment(app, on, { comment: 'Another thread' })
    await remove(reply, people.sam, on)
    expect(await remaining(on)).toEqual(['First', 'Another reply', 'Another thread'])
    await remove(first, people.tess, on)
    expect(await remaining(on)).toEqual(['Another thread'])
  })

  it('allows the author and administrators of the score', async () => {
    const { tess, theo, tara, sam, sol, ada } = people
    await give(app, { on: 'score', id: score }, { user: theo.id }, 'admin')
    await give(app, { on: 'score', id: score }, { user: tara.id }, 'write')
    for (const by of [tess, theo, sam]) {
      expect((await remove(await newComment(app, score, { user_id: sam.id }), by)).status).toBe(204)
    }
    const id = await newComment(app, score, { user_id: sam.id })
    for (const by of [tara, sol, ada]) {
      const { status, body } = await remove(id, by)
      expect([status, body.code]).toEqual([403, 'COMMENT_ACCESS_DENIED'])
    }
  })

  it('returns 404 to an author who lost access to the score', async () => {
    const on = await newScore()
    const id = await newComment(app, on, { user_id: people.sam.id })
    await people.tess.put(`/scores/${on}`, { privacy: 'private' })
    const { status, body } = await remove(id, people.sam, on)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    expect(await remaining(on)).toHaveLength(1)
  })

  it('returns 404 for a comment on another score', async () => {
    const id = await newComment(app, await newScore())
    const { status, body } = await remove(id)
    expect([status, body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    const id = await newComment(app, on)
    await people.tess.delete(`/scores/${on}`)
    const { status, body } = await remove(id, people.tess, on)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })

  it('accepts an empty form body and ignores eventProperties', async () => {
    const id = await newComment(app, score)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status } = await people.tess.request(
      'DELETE',
      `/scores/${score}/comments/${id}?eventProperties=%7B%7D`,
      undefined,
      { headers, body: '' },
    )
    expect(status).toBe(204)
  })

  it('deletes the comments with their score', async () => {
    const on = await newScore()
    await newComment(app, on, { reply_to: await newComment(app, on) })
    await people.tess.delete(`/scores/${on}?now=true`)
    await app.jobsDone()
    const rows = await app.ctx.db.read
      .selectFrom('score_comments')
      .select('id')
      .where('score_id', '=', on)
      .execute()
    expect(rows).toEqual([])
  })

  describe('on two servers simultaneously', () => {
    it('keeps the comment count correct', async () => {
      await onTwoServers(databases, async ({ vera, atOther }) => {
        const on = (await vera.post('/scores', emptyPiano())).body.id
        const path = `/scores/${on}/comments`
        for (let n = 0; n < 5; n++) {
          const first = (await vera.post(path, { comment: 'First' })).body.id
          const reply = (await vera.post(path, { comment: 'Reply', replyTo: first })).body.id
          const statuses = await Promise.all([
            vera.delete(`${path}/${first}`),
            atOther.delete(`${path}/${first}`),
            atOther.delete(`${path}/${reply}`),
            vera.delete(`${path}/${reply}`),
            atOther.post(path, { comment: 'Meanwhile', replyTo: first }),
            vera.post(path, { comment: 'Meanwhile', replyTo: reply }),
          ])
          const count = (at: readonly number[], status: number) =>
            at.filter((index) => statuses[index]?.status === status).length
          expect([count([0, 1], 204), count([0, 1], 404)]).toEqual([1, 1])
          expect(count([2, 3], 204)).toBeLessThanOrEqual(1)
          expect(count([4, 5], 200) + count([4, 5], 404)).toBe(2)
          expect((await vera.get(path)).body).toEqual([])
          expect((await vera.get(`/scores/${on}`)).body.comments.total).toBe(0)
        }
      })
    })
  })
})
