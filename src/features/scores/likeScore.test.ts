import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../test/support/app.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { emptyPiano } from '../../../test/support/scores.ts'

describeApp('likeScore', (app) => {
  let people: School
  let tess: Person
  let sam: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, sam } = people)
  })

  const newScore = async (privacy = 'organizationPublic'): Promise<string> =>
    (await tess.post('/scores', { ...emptyPiano(), privacy })).body.id
  const seenBy = async (person: Person, id: string) => {
    const { likes, me } = (await person.get(`/scores/${id}`)).body
    return [likes.total, me.isLiked]
  }

  it('counts who likes a score, and tells each whether they do', async () => {
    const id = await newScore()
    const { status, bytes } = await sam.put(`/scores/${id}/like`)
    expect([status, bytes.length]).toEqual([204, 0])
    expect(await seenBy(sam, id)).toEqual([1, true])
    expect(await seenBy(tess, id)).toEqual([1, false])
    expect((await tess.put(`/scores/${id}/like`)).status).toBe(204)
    expect(await seenBy(tess, id)).toEqual([2, true])
  })

  it('counts nobody twice, one after another or at once', async () => {
    const id = await newScore()
    for (const _ of [1, 2]) expect((await sam.put(`/scores/${id}/like`)).status).toBe(204)
    expect(await seenBy(sam, id)).toEqual([1, true])
    const other = await newScore()
    const likes = await Promise.all(Array.from({ length: 8 }, () => sam.put(`/scores/${other}/like`)))
    expect(likes.map(({ status }) => status)).toEqual(likes.map(() => 204))
    expect(await seenBy(sam, other)).toEqual([1, true])
  })

  it('counts all who like it at once', async () => {
    const id = await newScore()
    const all = [tess, sam, people.theo, people.tara, people.sol, people.ada]
    const likes = await Promise.all(all.map((person) => person.put(`/scores/${id}/like`)))
    expect(likes.map(({ status }) => status)).toEqual(all.map(() => 204))
    expect(await seenBy(sam, id)).toEqual([6, true])
    await Promise.all(all.flatMap((person) => [1, 2].map(() => person.delete(`/scores/${id}/like`))))
    expect(await seenBy(sam, id)).toEqual([0, false])
  })

  it('is for whoever may read: by the sharing key too, and for nobody else', async () => {
    const id = await newScore('privateLink')
    const { sharingKey } = (await tess.get(`/scores/${id}`)).body
    expect((await sam.put(`/scores/${id}/like`)).body.code).toBe('SCORE_NOT_FOUND')
    expect((await sam.put(`/scores/${id}/like?sharingKey=${sharingKey}`)).status).toBe(204)
    expect((await people.otto.put(`/scores/${id}/like?sharingKey=${sharingKey}`)).status).toBe(404)
    expect(await seenBy(tess, id)).toEqual([1, false])
  })

  it('leaves scores in the trash alone', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    const { status, body } = await tess.put(`/scores/${id}/like`)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })

  it('is social: a token that may only like and comment suffices', async () => {
    const id = await newScore()
    expect((await (await app.withScopes(sam, 'scores.social')).put(`/scores/${id}/like`)).status).toBe(204)
    expect((await (await app.withScopes(sam, 'scores.readonly')).put(`/scores/${id}/like`)).status).toBe(403)
  })
})
