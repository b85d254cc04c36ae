import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newComment } from '../../../../test/support/comments.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('markScoreCommentUnresolved', (app) => {
  let people: School
  let score: string

  const at = (id: string) => `/scores/${score}/comments/${id}/resolved`
  const comments = async () => (await people.tess.get(`/scores/${score}/comments`)).body

  beforeAll(async () => {
    people = await makeSchool(app)
    score = (await people.tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  })

  it('reopens the whole thread by any of its comments, also a second time', async () => {
    const first = await newComment(app, score)
    const reply = await newComment(app, score, { reply_to: first })
    await people.tess.put(at(first))
    for (const id of [reply, first]) {
      expect((await people.tess.delete(at(id))).status).toBe(204)
      expect(await comments()).toMatchObject([
        { id: first, resolved: false },
        { id: reply, resolved: false },
      ])
      for (const { resolvedBy } of await comments()) expect(resolvedBy).toBeUndefined()
    }
  })

  it('requires write access to the score', async () => {
    const id = await newComment(app, score, { user_id: people.sam.id })
    await people.tess.put(at(id))
    const { status, body } = await people.sam.delete(at(id))
    expect([status, body.code]).toEqual([403, 'COMMENT_ACCESS_DENIED'])
    expect(await comments()).toContainEqual(expect.objectContaining({ id, resolved: true }))
  })
})
