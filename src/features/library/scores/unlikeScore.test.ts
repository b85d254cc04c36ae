import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('unlikeScore', (app) => {
  let tess: Person
  let sam: Person
  let score: string

  beforeAll(async () => {
    ;({ tess, sam } = await makeSchool(app))
    score = (await tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  })

  const likes = async () => (await tess.get(`/scores/${score}`)).body.likes.total

  it('removes only the caller’s like', async () => {
    for (const person of [tess, sam]) await person.put(`/scores/${score}/like`)
    const { status, bytes } = await sam.delete(`/scores/${score}/like`)
    expect([status, bytes.length]).toEqual([204, 0])
    expect(await likes()).toBe(1)
    expect((await sam.get(`/scores/${score}`)).body.me.isLiked).toBe(false)
    expect((await tess.get(`/scores/${score}`)).body.me.isLiked).toBe(true)
  })

  it('succeeds if the caller does not like the score', async () => {
    const before = await likes()
    expect((await sam.delete(`/scores/${score}/like`)).status).toBe(204)
    expect(await likes()).toBe(before)
  })

  it('removes a like from a score that was moved to the trash meanwhile', async () => {
    const { id } = (await tess.post('/scores', emptyPiano())).body
    await tess.put(`/scores/${id}/like`)
    await tess.delete(`/scores/${id}`)
    expect((await tess.delete(`/scores/${id}/like`)).status).toBe(204)
    expect((await tess.get(`/scores/${id}`)).body.likes.total).toBe(0)
  })
})
