import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('getUser', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  it('shows the public profile without private fields', async () => {
    const { status, body } = await people.sam.get(`/users/${tess.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: tess.id,
      type: 'user',
      product: 'flatEdu',
      username: 'tess',
      printableName: 'Tess Teacher',
      picture: null,
      organization: people.id,
      organizationRole: 'teacher',
    })
    expect(Date.parse(body.registrationDate)).toBeLessThanOrEqual(Date.now())
    for (const privateField of ['locale', 'isEmailVerified', 'groups', 'email'])
      expect(body).not.toHaveProperty(privateField)
  })

  it('counts public scores, their likes and plays, and the user’s likes that the viewer may see', async () => {
    const { otto, sam } = people
    const olga = await app.person('olga')
    const newScore = async (owner: Person, privacy: string): Promise<string> =>
      (await owner.post('/scores', { ...emptyPiano(), privacy })).body.id
    const [open, closed] = [await newScore(olga, 'public'), await newScore(olga, 'private')]
    const [trashed, foreign] = [await newScore(olga, 'public'), await newScore(otto, 'public')]
    for (const score of [open, trashed]) await sam.put(`/scores/${score}/like`)
    for (const score of [open, closed, foreign]) await olga.put(`/scores/${score}/like`)
    await sam.get(`/scores/${open}/revisions/last/wav`)
    await olga.delete(`/scores/${trashed}`)
    await app.ctx.writeBehind.flush()

    const counts = { ownedPublicScoresCount: 1, likesCount: 2, playsCount: 1 }
    expect((await app.anonymous.get(`/users/${olga.id}`)).body).toMatchObject({
      ...counts,
      likedScoresCount: 2,
    })
    expect((await olga.get('/users/me')).body).toMatchObject({ ...counts, likedScoresCount: 3 })
    const none = { ownedPublicScoresCount: 0, likesCount: 0, playsCount: 0, likedScoresCount: 1 }
    expect((await sam.get('/users/me')).body).toMatchObject(none)
  })

  it('returns the caller for me', async () => {
    expect((await tess.get('/users/me')).body.id).toBe(tess.id)
    expect((await app.anonymous.get('/users/me')).status).toBe(404)
  })

  it('shows individual accounts to every caller', async () => {
    for (const viewer of [app.anonymous, tess, people.otto]) {
      const { status, body } = await viewer.get(`/users/${people.otto.id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ username: 'otto', product: 'flat' })
    }
  })

  it('returns 404 for a member of another organization, as for a missing user', async () => {
    for (const viewer of [app.anonymous, people.otto, people.abel]) {
      const { status, body } = await viewer.get(`/users/${tess.id}`)
      const missing = await viewer.get('/users/0123456789abcdef01234567')
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
      expect(body).toEqual(missing.body)
    }
    expect((await people.ada.get(`/users/${people.abel.id}`)).status).toBe(404)
  })

  it('shows the members of an organization that allows it', async () => {
    const open = await app.organization('Conservatory', true)
    const vera = await app.person('vera', { organization: open, role: 'teacher' })
    expect((await app.anonymous.get(`/users/${vera.id}`)).status).toBe(200)
    expect((await people.otto.get(`/users/${vera.id}`)).body.username).toBe('vera')
  })

  it('shows the name of an organization member only to tokens with the scope for education profiles', async () => {
    const open = await app.organization('Academy', true)
    const nora = await app.person('nora', { organization: open, firstname: 'Nora', lastname: 'N.' })
    const anonymised = {
      id: nora.id,
      type: 'user',
      product: 'flatEdu',
      username: `user-${nora.id}`,
      picture: null,
      organization: open,
      organizationRole: 'user',
    }
    const publicProfileOnly = await app.withScopes(nora, 'account.public_profile')
    const outside = await app.withScopes(people.otto, 'account.public_profile')
    for (const viewer of [publicProfileOnly, outside, app.anonymous]) {
      expect((await viewer.get(`/users/${nora.id}`)).body).toEqual(anonymised)
    }
    expect((await publicProfileOnly.get('/users/me')).body).toEqual(anonymised)
    const trusted = await app.withScopes(people.otto, 'account.education_profile')
    expect((await trusted.get(`/users/${nora.id}`)).body.printableName).toBe('Nora N.')
  })

  it('shows the name of an individual account to every token', async () => {
    const modest = await app.withScopes(people.tess, 'account.public_profile')
    expect((await modest.get(`/users/${people.otto.id}`)).body.username).toBe('otto')
  })

  it('finds users by id, not by name', async () => {
    expect((await people.sam.get('/users/tess')).status).toBe(404)
  })
})
