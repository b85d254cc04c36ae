import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { savedCommentsOf } from '../../../../test/support/saved-comments.ts'
import { makeSchool } from '../../../../test/support/school.ts'

describeApp('deleteSavedComment', (app) => {
  it('deletes one comment of the user, and none of others', async () => {
    const { tess, theo } = await makeSchool(app)
    const [bank, other] = [await savedCommentsOf(app, tess), await savedCommentsOf(app, theo)]
    const { id } = (await bank.add('First')).body
    await bank.add('Second')
    const refused = await other.remove(id)
    expect([refused.status, refused.body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
    expect(await bank.texts()).toEqual(['Second', 'First'])
    expect((await bank.remove(id)).status).toBe(204)
    expect((await bank.remove(id)).status).toBe(404)
    expect(await bank.texts()).toEqual(['Second'])
  })
})
