import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('getAuthenticatedUser', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('returns all data of the account', async () => {
    const { status, body } = await people.tess.get('/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: people.tess.id,
      type: 'user',
      product: 'flatEdu',
      username: 'tess',
      printableName: 'Tess Teacher',
      firstname: 'Tess',
      lastname: 'Teacher',
      name: 'Tess Teacher',
      picture: null,
      organization: people.id,
      organizationRole: 'teacher',
      htmlUrl: `${app.url}/users/${people.tess.id}`,
      isEmailVerified: false,
      locale: 'en',
      groups: [],
    })
  })

  it('hides the name of an organization member from an app with the scope for public profiles only', async () => {
    const tilda = await app.person('tilda', { organization: people.id, firstname: 'Tilda', locale: 'de' })
    const stranger = await app.withScopes(tilda, 'account.public_profile')
    const { status, body } = await stranger.get('/me')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: tilda.id,
      type: 'user',
      product: 'flatEdu',
      username: `user-${tilda.id}`,
      picture: null,
      organization: people.id,
      organizationRole: 'user',
      locale: 'de',
    })
  })

  it('shows the name of an organization member to an app with the scope for education profiles', async () => {
    const trusted = await app.withScopes(people.tess, 'account.education_profile')
    expect((await trusted.get('/me')).body).toMatchObject({ username: 'tess', lastname: 'Teacher' })
  })

  it('shows the name of an individual account to every app', async () => {
    const publicProfileOnly = await app.withScopes(people.otto, 'account.public_profile')
    const { body } = await publicProfileOnly.get('/me')
    expect(body).toMatchObject({ id: people.otto.id, product: 'flat', username: 'otto' })
    expect(body.organization).toBeUndefined()
  })

  it('returns only the id for onlyId', async () => {
    const { status, body } = await people.tess.get('/me?onlyId=true')
    expect(status).toBe(200)
    expect(body.id).toBe(people.tess.id)
    expect(JSON.stringify(body)).not.toMatch(/tess/i)
    expect((await people.tess.get('/me?onlyId=false')).body.username).toBe('tess')
    expect((await people.tess.get('/me?onlyId=1x')).body.param).toBe('onlyId')
  })

  it('gives the address to an app with the scope for addresses, and to no other', async () => {
    const wilma = await app.person('wilma', { email: 'wilma@school.example', organization: people.id })
    const both = await app.withScopes(wilma, 'account.public_profile', 'account.email')
    expect((await both.get('/me')).body).toMatchObject({
      email: 'wilma@school.example',
      isEmailVerified: false,
    })
    const without = await app.withScopes(wilma, 'account.public_profile', 'account.education_profile')
    expect((await without.get('/me')).body).not.toHaveProperty('email')
    expect((await both.get('/me?onlyId=true')).body).not.toHaveProperty('email')
    expect((await both.get(`/users/${wilma.id}`)).body).not.toHaveProperty('email')
  })

  it('gives an app with the scope for addresses only the id and the address', async () => {
    const solo = await app.person('wendel', { email: 'wendel@home.example' })
    const addressOnly = await app.withScopes(solo, 'account.email')
    const { status, body } = await addressOnly.get('/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: solo.id, username: `user-${solo.id}`, email: 'wendel@home.example' })
    expect(body).not.toHaveProperty('printableName')
    const nameless = await app.withScopes(await app.person('wanda'), 'account.email')
    expect((await nameless.get('/me')).body).not.toHaveProperty('email')
  })

  it('requires a token with one of the scopes', async () => {
    expect((await app.anonymous.get('/me')).status).toBe(401)
    const blind = await app.withScopes(people.tess, 'notifications.readonly', 'scores')
    expect((await blind.get('/me')).body.code).toBe('INSUFFICIENT_SCOPE')
  })
})
