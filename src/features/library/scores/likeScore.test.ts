import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

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
  const visibleTo = async (person: Person, id: string) => {
    const { likes, me } = (await person.get(`/scores/${id}`)).body
    return [likes.total, me.isLiked]
  }

  it('counts the likes and shows each user whether they like the score', async () => {
    const id = await newScore()
    const { status, bytes } = await sam.put(`/scores/${id}/like`)
    expect([status, bytes.length]).toEqual([204, 0])
    expect(await visibleTo(sam, id)).toEqual([1, true])
    expect(await visibleTo(tess, id)).toEqual([1, false])
    expect((await tess.put(`/scores/${id}/like`)).status).toBe(204)
    expect(await visibleTo(tess, id)).toEqual([2, true])
  })

  it('counts a user once, even for simultaneous requests', async () => {
    const id = await newScore()
    for (const _ of [1, 2]) expect((await sam.put(`/scores/${id}/like`)).status).toBe(204)
    expect(await visibleTo(sam, id)).toEqual([1, true])
    const other = await newScore()
    const likes = await Promise.all(Array.from({ length: 8 }, () => sam.put(`/scores/${other}/like`)))
    expect(likes.map(({ status }) => status)).toEqual(likes.map(() => 204))
    expect(await visibleTo(sam, other)).toEqual([1, true])
  })

  it('counts simultaneous likes of several users', async () => {
    const id = await newScore()
    const all = [tess, sam, people.theo, people.tara, people.sol, people.ada]
    const likes = await Promise.all(all.map((person) => person.put(`/scores/${id}/like`)))
    expect(likes.map(({ status }) => status)).toEqual(all.map(() => 204))
    expect(await visibleTo(sam, id)).toEqual([6, true])
    await Promise.all(all.flatMap((person) => [1, 2].map(() => person.delete(`/scores/${id}/like`))))
    expect(await visibleTo(sam, id)).toEqual([0, false])
  })

  it('requires read access, which the sharing key also gives', async () => {
    const id = await newScore('privateLink')
    const { sharingKey } = (await tess.get(`/scores/${id}`)).body
    expect((await sam.put(`/scores/${id}/like`)).body.code).toBe('SCORE_NOT_FOUND')
    expect((await sam.put(`/scores/${id}/like?sharingKey=${sharingKey}`)).status).toBe(204)
    expect((await people.otto.put(`/scores/${id}/like?sharingKey=${sharingKey}`)).status).toBe(404)
    expect(await visibleTo(tess, id)).toEqual([1, false])
  })

  it('refuses a score that is in the trash', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    const { status, body } = await tess.put(`/scores/${id}/like`)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })

  it('accepts a token with only the scope scores.social', async () => {
    const id = await newScore()
    expect((await (await app.withScopes(sam, 'scores.social')).put(`/scores/${id}/like`)).status).toBe(204)
    expect((await (await app.withScopes(sam, 'scores.readonly')).put(`/scores/${id}/like`)).status).toBe(403)
  })
})
