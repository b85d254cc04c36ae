import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { pngOf } from '../../../../test/support/pictures.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { countedBytes, wrongCounts } from '../../../../test/support/stored-bytes.ts'
import { updateRemoval } from './store.ts'

describeEachDatabase('setProfilePicture', (databases) => {
  const app = useApp(databases, { accountStorage: '20KiB' })
  let people: School
  let nadia: Person
  let session: Client
  let png: Buffer

  beforeAll(async () => {
    people = await makeSchool(app)
    nadia = await app.person('nadia')
    session = internalClient(await signedIn(app, nadia))
    png = await pngOf(300, 200)
  })

  const set = (image: Uint8Array, kind = 'picture', of = session) =>
    of.put(`/profile/pictures/${kind}`, { image: Buffer.from(image).toString('base64') })
  const fetched = async (address: string) => {
    const reply = await fetch(address)
    return { reply, ...(await sharp(Buffer.from(await reply.arrayBuffer())).metadata()) }
  }

  it('crops the picture to a square and the cover to a strip, at addresses without credentials', async () => {
    const { status, body } = await set(png)
    expect(status).toBe(200)
    expect(body.picture).toMatch(new RegExp(`^${app.url}/pictures/[0-9a-f]{32}$`))
    const picture = await fetched(body.picture)
    expect(picture).toMatchObject({ format: 'webp', width: 400, height: 400 })
    const headers = (name: string) => picture.reply.headers.get(name)
    expect(headers('content-type')).toBe('image/webp')
    expect(headers('x-content-type-options')).toBe('nosniff')
    expect(headers('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers('cache-control')).toBe('private, max-age=86400, immutable')
    const { cover } = (await set(png, 'cover')).body
    expect(await fetched(cover)).toMatchObject({ format: 'webp', width: 1500, height: 500 })
    expect((await session.get('/profile')).body).toMatchObject({ picture: body.picture, cover })
  })

  it('shows the picture wherever the user is shown, and the cover and the ids in the profile', async () => {
    const { picture } = (await set(png)).body
    const { cover } = (await set(png, 'cover')).body
    const score = (await nadia.post('/scores', { ...emptyPiano(), privacy: 'public' })).body.id
    expect((await app.anonymous.get(`/scores/${score}`)).body.user.picture).toBe(picture)
    const [listed] = (await app.anonymous.get(`/users/${nadia.id}/scores`)).body
    expect(listed.user.picture).toBe(picture)
    expect((await app.anonymous.get(`/users/${nadia.id}`)).body).toMatchObject({
      picture,
      coverPicture: cover,
    })
    const idOf = (address: string) => address.split('/').at(-1)
    expect((await nadia.get('/me')).body).toMatchObject({
      picture,
      coverPicture: cover,
      pictureFile: idOf(picture),
      coverPictureFile: idOf(cover),
    })
    const { tess, otto } = people
    const shared = (await otto.post('/scores', emptyPiano())).body.id
    await otto.post(`/scores/${shared}/collaborators`, { user: nadia.id })
    const collaborators = (await otto.get(`/scores/${shared}/collaborators`)).body
    expect(collaborators.map(({ user }: { user: Person & { picture: string } }) => user.picture)).toEqual([
      null,
      picture,
    ])
    const ofTess = (await set(png, 'picture', internalClient(await signedIn(app, tess)))).body.picture
    const members = (await people.ada.get('/organizations/users?role=teacher')).body
    const shown = members.find(({ id }: { id: string }) => id === tess.id)
    expect(shown.picture).toBe(ofTess)
    const withoutNames = await app.withScopes(people.ada, 'account.public_profile')
    expect((await withoutNames.get(`/users/${tess.id}`)).body.picture).toBeNull()
  })

  it('replaces the picture before, whose address is gone, and counts only the new one', async () => {
    const before = (await set(png)).body.picture
    const after = (await set(await pngOf(20, 20, 'red'))).body.picture
    expect((await fetch(before)).status).toBe(404)
    expect((await fetch(after)).status).toBe(200)
    expect(await countedBytes(app, nadia)).toBeGreaterThan(0)
    expect(await wrongCounts(app)).toEqual([])
  })

  it('refuses a picture that is none or too large, and keeps the one before', async () => {
    const { picture } = (await set(png)).body
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    for (const image of [svg, png.subarray(0, 60), Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)])]) {
      const { status, body } = await set(image)
      expect([status, body.code, body.param]).toEqual([400, 'UNREADABLE_PICTURE', 'image'])
    }
    const dataUrl = `data:image/png;base64,${png.toString('base64')}`
    expect((await session.put('/profile/pictures/cover', { image: dataUrl })).body.code).toBe(
      'UNREADABLE_PICTURE',
    )
    expect((await session.put('/profile/pictures/banner', { image: 'AAAA' })).status).toBe(400)
    expect((await session.put('/profile/pictures/cover', {})).body.param).toBe('image')
    expect((await session.get('/profile')).body.picture).toBe(picture)
  })

  it('refuses a picture for which the storage of the account has no room', async () => {
    const noise = await sharp({
      create: {
        width: 1500,
        height: 500,
        channels: 3,
        background: 'gray',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    const olga = await app.person('olga')
    const { status, body } = await set(noise, 'cover', internalClient(await signedIn(app, olga)))
    expect([status, body.code]).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED'])
    expect((await olga.get('/me')).body.coverPicture).toBeUndefined()
    expect(await wrongCounts(app)).toEqual([])
  })

  it('does not serve the picture of a removed account', async () => {
    const { picture } = (await set(png)).body
    const remove = (deletion_at: number | null) =>
      app.ctx.transaction((tx) => updateRemoval(tx, nadia.id, { deletion_at, removed_by: null }))
    await remove(Date.now())
    expect((await fetch(picture)).status).toBe(404)
    await remove(null)
    expect((await fetch(picture)).status).toBe(200)
  })
})
