import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newComment, placesIn } from '../../../../test/support/comments.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeApp('markScoreCommentResolved', (app) => {
  let people: School
  let score: string

  const resolve = (id: string, by = people.tess) => by.put(`/scores/${score}/comments/${id}/resolved`)
  const comments = async () => (await people.tess.get(`/scores/${score}/comments`)).body

  beforeAll(async () => {
    people = await makeSchool(app)
    score = (await people.tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
    await give(app, { on: 'score', id: score }, { user: people.tara.id }, 'write')
  })

  it('resolves the whole thread by any of its comments and stores the user', async () => {
    const first = await newComment(app, score)
    const reply = await newComment(app, score, { reply_to: first })
    const other = await newComment(app, score)
    expect((await resolve(reply, people.tara)).status).toBe(204)
    expect(await comments()).toMatchObject([
      { id: first, resolved: true, resolvedBy: people.tara.id },
      { id: reply, resolved: true, resolvedBy: people.tara.id },
      { id: other, resolved: false },
    ])
    const later = (await people.sam.post(`/scores/${score}/comments`, { comment: 'But …', replyTo: first }))
      .body
    expect(later).toMatchObject({ resolved: true, resolvedBy: people.tara.id })
  })

  it('hides inline comments and their replies from the list, and no others', async () => {
    const context = JSON.stringify((await placesIn(people.tess, score)).place)
    const inline = await newComment(app, score, { context })
    const reply = await newComment(app, score, { reply_to: inline })
    const onDocument = await newComment(app, score)
    await resolve(onDocument)
    await resolve(reply)
    const ids = (listed: { id: string }[]) => listed.map(({ id }) => id)
    expect(ids(await comments())).toEqual(expect.arrayContaining([onDocument]))
    for (const id of [inline, reply]) expect(ids(await comments())).not.toContain(id)
    const all = (await people.tess.get(`/scores/${score}/comments?resolved=true`)).body
    expect(ids(all)).toEqual(expect.arrayContaining([inline, reply, onDocument]))
    expect((await people.tess.delete(`/scores/${score}/comments/${inline}/resolved`)).status).toBe(204)
    expect(ids(await comments())).toEqual(expect.arrayContaining([inline, reply]))
  })

  it('changes nothing if the thread is already resolved', async () => {
    const id = await newComment(app, score)
    await resolve(id, people.tara)
    const before = await comments()
    expect((await resolve(id)).status).toBe(204)
    expect(await comments()).toEqual(before)
  })

  it('requires write access to the score, also from the author of the comment', async () => {
    const id = await newComment(app, score, { user_id: people.sam.id })
    const { status, body } = await resolve(id, people.sam)
    expect([status, body.code]).toEqual([403, 'COMMENT_ACCESS_DENIED'])
    expect(await comments()).toContainEqual(expect.objectContaining({ id, resolved: false }))
  })

  it('returns 404 for a missing comment', async () => {
    const { status, body } = await resolve('0123456789abcdef01234567')
    expect([status, body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
  })

  it('refuses a score that is in the trash', async () => {
    const on = (await people.tess.post('/scores', emptyPiano())).body.id
    const id = await newComment(app, on)
    await people.tess.delete(`/scores/${on}`)
    const { status, body } = await people.tess.put(`/scores/${on}/comments/${id}/resolved`)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })
})
