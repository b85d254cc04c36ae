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

  it('requires a token with one of the scopes', async () => {
    expect((await app.anonymous.get('/me')).status).toBe(401)
    const blind = await app.withScopes(people.tess, 'account.email', 'scores')
    expect((await blind.get('/me')).body.code).toBe('INSUFFICIENT_SCOPE')
  })
})
