import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('getScore', (app) => {
  let tess: Person
  let sam: Person
  let otto: Person
  let school: string
  let score: string

  beforeAll(async () => {
    school = await app.organization('School')
    tess = await app.person('tess', { organization: school, role: 'teacher' })
    sam = await app.person('sam', { organization: school })
    otto = await app.person('otto')
    const data = musicXml({ title: 'Morning', composer: 'Tess T.', measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] })
    score = (await tess.post('/scores', { data })).body.id
  })

  it('returns the facts of the file and full rights to the owner', async () => {
    const { status, body } = await tess.get(`/scores/${score}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: score,
      title: 'Morning',
      composer: 'Tess T.',
      privacy: 'private',
      numberMeasures: 2,
      durationTime: 4,
      instruments: ['keyboards.piano'],
      instrumentsNames: ['Piano'],
      rights: { aclRead: true, aclWrite: true, aclAdmin: true, collaboratorType: 'owner' },
      user: { id: tess.id, username: 'tess' },
      htmlUrl: `${app.url}/scores/${score}`,
    })
  })

  it('names the owner to every viewer, also with a token without a scope for education profiles', async () => {
    const reader = await app.withScopes(tess, 'scores.readonly')
    expect((await reader.get(`/scores/${score}`)).body.user).toMatchObject({ id: tess.id, username: 'tess' })
  })

  it('names the instruments in the requested language', async () => {
    const { body } = await tess.get(`/scores/${score}`, { headers: { 'X-Flat-Locale': 'de' } })
    expect(body.instrumentsNames).toEqual(['Klavier'])
  })

  it('returns the same 404 for an invisible score as for a missing one', async () => {
    const foreign = await otto.get(`/scores/${score}`)
    const missing = await otto.get('/scores/0123456789abcdef01234567')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    expect((await otto.get('/scores/not-an-id')).body).toEqual(missing.body)
  })

  describe('privacy', () => {
    const privacyIs = (privacy: string) => tess.put(`/scores/${score}`, { privacy })

    it('organizationPublic opens the score to the organization only', async () => {
      await privacyIs('organizationPublic')
      const { status, body } = await sam.get(`/scores/${score}`)
      expect(status).toBe(200)
      expect(body.rights).toMatchObject({ aclRead: true, aclWrite: false, aclAdmin: false })
      expect((await otto.get(`/scores/${score}`)).status).toBe(404)
    })

    it('public opens the score to all users while the organization allows it', async () => {
      await allowPublicScores(app, school, true)
      await privacyIs('public')
      expect((await app.anonymous.get(`/scores/${score}`)).status).toBe(200)
      await allowPublicScores(app, school, false)
      expect((await sam.get(`/scores/${score}`)).status).toBe(200)
      expect((await otto.get(`/scores/${score}`)).status).toBe(404)
    })

    it('privateLink opens the score to colleagues with the key, and shows the key only to administrators', async () => {
      const { sharingKey } = (await privacyIs('privateLink')).body
      expect(sharingKey).toMatch(/^[a-f0-9]{128}$/)
      expect((await sam.get(`/scores/${score}`)).status).toBe(404)
      expect((await sam.get(`/scores/${score}?sharingKey=${'0'.repeat(128)}`)).status).toBe(404)
      const { status, body } = await sam.get(`/scores/${score}?sharingKey=${sharingKey}`)
      expect(status).toBe(200)
      expect(body.sharingKey).toBeUndefined()
    })

    it('privateLink opens the score outside the organization only while it allows public scores', async () => {
      const { sharingKey } = (await privacyIs('privateLink')).body
      const path = `/scores/${score}?sharingKey=${sharingKey}`
      const statuses = async () => [(await otto.get(path)).status, (await app.anonymous.get(path)).status]
      expect(await statuses()).toEqual([404, 404])
      await allowPublicScores(app, school, true)
      expect(await statuses()).toEqual([200, 200])
      await allowPublicScores(app, school, false)
      expect(await statuses()).toEqual([404, 404])
    })

    it('privateLink of an individual account opens the score to every caller with the key', async () => {
      const { id, sharingKey } = (await otto.post('/scores', { data: musicXml(), privacy: 'privateLink' }))
        .body
      expect((await app.anonymous.get(`/scores/${id}`)).status).toBe(404)
      expect((await app.anonymous.get(`/scores/${id}?sharingKey=${sharingKey}`)).status).toBe(200)
    })
  })

  it('public of an individual account opens the score to every caller', async () => {
    const { body } = await otto.post('/scores', { data: musicXml(), privacy: 'public' })
    expect((await app.anonymous.get(`/scores/${body.id}`)).status).toBe(200)
  })

  it('counts one view an hour for each viewer except the owner', async () => {
    const { id } = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    for (const viewer of [sam, sam, tess, otto]) await viewer.get(`/scores/${id}`)
    await app.ctx.writeBehind.flush()
    await sam.get(`/scores/${id}`)
    await app.ctx.writeBehind.flush()
    expect((await otto.get(`/scores/${id}`)).body.views.total).toBe(2)
  })

  it('requires a matching scope, and returns 401 for an invalid token', async () => {
    const blind = await app.withScopes(tess, 'tasks.readonly')
    const { status, body, headers } = await blind.get(`/scores/${score}`)
    expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(headers.get('www-authenticate')).toContain('insufficient_scope')
    const broken = await app.anonymous.get(`/scores/${score}`, {
      headers: { Authorization: 'Bearer nonsense' },
    })
    expect([broken.status, broken.body.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})
