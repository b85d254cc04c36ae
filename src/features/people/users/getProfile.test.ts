import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('getProfile', (databases) => {
  const app = useApp(databases)

  it('returns an empty and open profile to a new individual account', async () => {
    const nadia = internalClient(await signedIn(app, await app.person('nadia')))
    const { status, body } = await nadia.get('/profile')
    expect([status, body]).toEqual([200, { bio: '', privateProfile: false, picture: null, cover: null }])
  })

  it('returns null for the privacy of the profile of a member', async () => {
    const { tess } = await makeSchool(app)
    const { body } = await internalClient(await signedIn(app, tess)).get('/profile')
    expect(body).toMatchObject({ bio: '', privateProfile: null })
  })
})
