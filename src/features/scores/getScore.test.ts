import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../test/support/app.ts'
import { allowPublicScores } from '../../../test/support/organizations.ts'
import { musicXml } from '../../../test/support/scores.ts'

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

  it('tells the owner what the file says and that the owner may do everything', async () => {
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

  it('names its owner to whoever may see it, also by a token that may not see education profiles', async () => {
    const reader = await app.withScopes(tess, 'scores.readonly')
    expect((await reader.get(`/scores/${score}`)).body.user).toMatchObject({ id: tess.id, username: 'tess' })
  })

  it('names the instruments in the language that is asked for', async () => {
    const { body } = await tess.get(`/scores/${score}`, { headers: { 'X-Flat-Locale': 'de' } })
    expect(body.instrumentsNames).toEqual(['Klavier'])
  })

  it('answers for a score that is not the caller’s exactly as for one that is not there', async () => {
    const foreign = await otto.get(`/scores/${score}`)
    const missing = await otto.get('/scores/0123456789abcdef01234567')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    expect((await otto.get('/scores/not-an-id')).body).toEqual(missing.body)
  })

  describe('privacy', () => {
    const privacyIs = (privacy: string) => tess.put(`/scores/${score}`, { privacy })

    it('organizationPublic opens it to the organization and to nobody else', async () => {
      await privacyIs('organizationPublic')
      const { status, body } = await sam.get(`/scores/${score}`)
      expect(status).toBe(200)
      expect(body.rights).toMatchObject({ aclRead: true, aclWrite: false, aclAdmin: false })
      expect((await otto.get(`/scores/${score}`)).status).toBe(404)
    })

    it('public opens it to everyone where the organization allows that, and as long as it does', async () => {
      await allowPublicScores(app, school, true)
      await privacyIs('public')
      expect((await app.stranger.get(`/scores/${score}`)).status).toBe(200)
      await allowPublicScores(app, school, false)
      expect((await sam.get(`/scores/${score}`)).status).toBe(200)
      expect((await otto.get(`/scores/${score}`)).status).toBe(404)
    })

    it('privateLink opens it to colleagues who have the key, and shows the key to its administrator only', async () => {
      const { sharingKey } = (await privacyIs('privateLink')).body
      expect(sharingKey).toMatch(/^[a-f0-9]{128}$/)
      expect((await sam.get(`/scores/${score}`)).status).toBe(404)
      expect((await sam.get(`/scores/${score}?sharingKey=${'0'.repeat(128)}`)).status).toBe(404)
      const { status, body } = await sam.get(`/scores/${score}?sharingKey=${sharingKey}`)
      expect(status).toBe(200)
      expect(body.sharingKey).toBeUndefined()
    })

    it('privateLink opens it outside of the organization only while that allows public scores', async () => {
      const { sharingKey } = (await privacyIs('privateLink')).body
      const path = `/scores/${score}?sharingKey=${sharingKey}`
      const statuses = async () => [(await otto.get(path)).status, (await app.stranger.get(path)).status]
      expect(await statuses()).toEqual([404, 404])
      await allowPublicScores(app, school, true)
      expect(await statuses()).toEqual([200, 200])
      await allowPublicScores(app, school, false)
      expect(await statuses()).toEqual([404, 404])
    })

    it('privateLink of an individual account opens it to whoever has the key', async () => {
      const { id, sharingKey } = (await otto.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
      expect((await app.stranger.get(`/scores/${id}`)).status).toBe(404)
      expect((await app.stranger.get(`/scores/${id}?sharingKey=${sharingKey}`)).status).toBe(200)
    })
  })

  it('is open to everyone when an individual account makes it public', async () => {
    const { body } = await otto.post('/scores', { data: musicXml(), privacy: 'public' })
    expect((await app.stranger.get(`/scores/${body.id}`)).status).toBe(200)
  })

  it('counts a view by another than the owner once an hour', async () => {
    const { id } = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    for (const visitor of [sam, sam, tess, otto]) await visitor.get(`/scores/${id}`)
    await app.ctx.writeBehind.flush()
    await sam.get(`/scores/${id}`)
    await app.ctx.writeBehind.flush()
    expect((await otto.get(`/scores/${id}`)).body.views).toEqual({ total: 2 })
  })

  it('needs one of its scopes, and no token at all is better than a bad one', async () => {
    const blind = await app.withScopes(tess, 'tasks.readonly')
    const { status, body, headers } = await blind.get(`/scores/${score}`)
    expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(headers.get('www-authenticate')).toContain('insufficient_scope')
    const broken = await app.stranger.get(`/scores/${score}`, { headers: { Authorization: 'Bearer nonsense' } })
    expect([broken.status, broken.body.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})
