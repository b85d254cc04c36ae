import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { savedCommentsOf } from '../../../../test/support/saved-comments.ts'
import { makeSchool } from '../../../../test/support/school.ts'

describeApp('addSavedComment', (app) => {
  it('saves each comment once, without the spaces at its ends', async () => {
    const { tess } = await makeSchool(app)
    const bank = await savedCommentsOf(app, tess)
    const added = await bank.add('  Count the rests.\n')
    expect([added.status, added.body]).toEqual([200, { id: expect.any(String), comment: 'Count the rests.' }])
    expect((await bank.add('Count the rests.')).body).toEqual(added.body)
    await bank.add('Well done.')
    expect(await bank.texts()).toEqual(['Well done.', 'Count the rests.'])
  })

  it('takes 1 to 1,000 characters', async () => {
    const { theo } = await makeSchool(app, '2')
    const bank = await savedCommentsOf(app, theo)
    for (const comment of ['', ' \n', 'x'.repeat(1001)]) {
      const { status, body } = await bank.add(comment)
      expect([status, body.param]).toEqual([400, 'comment'])
    }
    expect((await bank.add('x'.repeat(1000))).status).toBe(200)
    expect(await bank.texts()).toHaveLength(1)
  })

  it('keeps 200 comments of an account, also when several are added at once', async () => {
    const { tess, theo } = await makeSchool(app, '3')
    const bank = await savedCommentsOf(app, tess)
    await app.ctx.transaction(async (tx) => {
      const rows = Array.from({ length: 199 }, (_, n) => ({
        id: app.ctx.newId(),
        user_id: tess.id,
        comment: `Comment ${n}`,
        created_at: app.ctx.clock.now(),
      }))
      await tx.insertInto('saved_comments').values(rows).execute()
    })
    const replies = await Promise.all(['A', 'B', 'C'].map((comment) => bank.add(comment)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(replies.find(({ status }) => status === 403)?.body.code).toBe('TOO_MANY_SAVED_COMMENTS')
    expect((await bank.add('Comment 7')).status).toBe(200)
    expect((await bank.texts()).length).toBe(200)
    expect((await (await savedCommentsOf(app, theo)).add('A')).status).toBe(200)
  })
})
