import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { pngOf } from '../../../../test/support/pictures.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { countedBytes } from '../../../../test/support/stored-bytes.ts'

describeEachDatabase('removeProfilePicture', (databases) => {
  const app = useApp(databases)

  it('removes one picture with its address and its bytes, and keeps the other one', async () => {
    const nadia = await app.person('nadia')
    const session = internalClient(await signedIn(app, nadia))
    const image = (await pngOf(30, 30)).toString('base64')
    const { picture } = (await session.put('/profile/pictures/picture', { image })).body
    const ofPicture = await countedBytes(app, nadia)
    const { cover } = (await session.put('/profile/pictures/cover', { image })).body
    expect((await session.delete('/profile/pictures/cover')).status).toBe(204)
    expect((await fetch(cover)).status).toBe(404)
    expect((await fetch(picture)).status).toBe(200)
    expect(await countedBytes(app, nadia)).toBe(ofPicture)
    expect((await session.get('/profile')).body).toMatchObject({ picture, cover: null })
    expect((await session.delete('/profile/pictures/picture')).status).toBe(204)
    expect([(await nadia.get('/me')).body.picture, await countedBytes(app, nadia)]).toEqual([null, 0])
  })

  it('answers 404 if there is no such picture', async () => {
    const session = internalClient(await signedIn(app, await app.person('lena')))
    const { status, body } = await session.delete('/profile/pictures/picture')
    expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND'])
  })
})
