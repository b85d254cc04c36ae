import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { deleteMentionsOf } from './mentions.ts'
import { updateComment } from './store.ts'

describeApp('mentions of a deleted user', (app) => {
  let otto: Person
  let ann: Person
  let anna: Person

  beforeAll(async () => {
    otto = await app.person('otto')
    ann = await app.person('ann')
    anna = await app.person('anna')
  })

  /** Posts a comment of otto that mentions ann and anna. */
  async function commentOnBoth() {
    const score = (await otto.post('/scores', { ...emptyPiano(), privacy: 'public' })).body.id
    const texts = {
      comment: '@anna, @ann and @ann. Also @ann.b and @ann_b!',
      rawComment: `@[${anna.id}:anna], @[${ann.id}:ann] and @[${ann.id}:ann]. Also @ann.b and @ann_b!`,
    }
    const { body } = await otto.post(`/scores/${score}/comments`, texts)
    const read = async () => (await otto.get(`/scores/${score}/comments`)).body[0]
    return { id: body.id as string, read }
  }

  it('lose the name, but a longer name that begins with it stays', async () => {
    const { id, read } = await commentOnBoth()
    await deleteMentionsOf(app.ctx, ann.id, (work) => app.ctx.transaction(work))
    expect(await read()).toMatchObject({
      id,
      comment: '@anna, @… and @…. Also @ann.b and @ann_b!',
      rawComment: `@[${anna.id}:anna], @… and @…. Also @ann.b and @ann_b!`,
      mentions: [anna.id],
    })
  })

  it('do not undo an edit that the author makes after the scan', async () => {
    const { id, read } = await commentOnBoth()
    await deleteMentionsOf(app.ctx, ann.id, async (work) => {
      await app.ctx.transaction((tx) =>
        updateComment(tx, id, { comment: 'Edited', raw_comment: 'Edited', mentions: '[]' }),
      )
      await app.ctx.transaction(work)
    })
    expect(await read()).toMatchObject({ comment: 'Edited', rawComment: 'Edited', mentions: [] })
  })
})
