import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('changeProfile', (databases) => {
  const app = useApp(databases)
  let people: School
  let nadia: Person
  let session: Client

  beforeAll(async () => {
    people = await makeSchool(app)
    nadia = await app.person('nadia')
    session = internalClient(await signedIn(app, nadia))
  })

  const change = (body: unknown, of = session) => of.put('/profile', body)

  it('sets the biography, which those see who may see the profile', async () => {
    const { status, body } = await change({ bio: ' I play the oboe.\n ' })
    expect([status, body.bio]).toEqual([200, 'I play the oboe.'])
    expect((await app.anonymous.get(`/users/${nadia.id}`)).body.bio).toBe('I play the oboe.')
    expect((await nadia.get('/me')).body.bio).toBe('I play the oboe.')
    const { tess, ada } = people
    await change({ bio: 'Conductor' }, internalClient(await signedIn(app, tess)))
    expect((await ada.get(`/users/${tess.id}`)).body.bio).toBe('Conductor')
    const withoutNames = await app.withScopes(ada, 'account.public_profile')
    expect((await withoutNames.get(`/users/${tess.id}`)).body.bio).toBeUndefined()
  })

  it('removes an empty biography, and keeps a field that is not in the body', async () => {
    await change({ bio: 'Oboe', privateProfile: true })
    expect((await change({})).body).toMatchObject({ bio: 'Oboe', privateProfile: true })
    expect((await change({ bio: '' })).body).toMatchObject({ bio: '', privateProfile: true })
    expect((await change({ privateProfile: false })).body).toMatchObject({ bio: '', privateProfile: false })
    expect((await nadia.get('/users/me')).body.bio).toBeUndefined()
  })

  it.each<[unknown, string]>([
    [{ bio: 'x'.repeat(1001) }, 'bio'],
    [{ bio: null }, 'bio'],
    [{ privateProfile: 'yes' }, 'privateProfile'],
  ])('refuses an invalid field: %#', async (body, param) => {
    const refused = await change(body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  it('refuses the privacy of the profile of a member, which the organization decides', async () => {
    const sam = internalClient(await signedIn(app, people.sam))
    for (const privateProfile of [true, false]) {
      const { status, body } = await change({ privateProfile }, sam)
      expect([status, body.param]).toEqual([400, 'privateProfile'])
    }
    expect((await people.sam.get('/me')).body).not.toHaveProperty('privateProfile')
  })

  it('hides a private profile and its lists from other users, but not from the user', async () => {
    const score = (await nadia.post('/scores', { ...emptyPiano(), privacy: 'public' })).body.id
    await nadia.put(`/scores/${score}/like`)
    const lists = [`/users/${nadia.id}/scores`, `/users/${nadia.id}/likes`]
    for (const list of lists) expect((await people.otto.get(list)).body).toHaveLength(1)
    await change({ bio: 'Oboe', privateProfile: true })
    for (const viewer of [people.otto, people.tess, app.anonymous]) {
      const { status, body } = await viewer.get(`/users/${nadia.id}`)
      const hidden = {
        id: nadia.id,
        type: 'user',
        product: 'flat',
        username: `user-${nadia.id}`,
        picture: null,
      }
      expect([status, body]).toEqual([200, hidden])
      for (const list of lists) {
        const reply = await viewer.get(list)
        expect([reply.status, reply.body]).toEqual([200, []])
      }
      expect((await viewer.get(`/scores/${score}`)).body.user.username).toBe('nadia')
    }
    expect((await nadia.get('/me')).body).toMatchObject({ username: 'nadia', privateProfile: true })
    expect((await nadia.get('/users/me')).body).toMatchObject({ username: 'nadia', bio: 'Oboe' })
    for (const list of lists) expect((await nadia.get(list)).body).toHaveLength(1)
    await change({ privateProfile: false })
    expect((await app.anonymous.get(`/users/${nadia.id}`)).body.username).toBe('nadia')
  })
})
