import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource, titlesIn } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('moveEduResource', (app, databases) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const move = (person: School['tess'], id: string, destination: string) =>
    person.post(`/eduResources/${id}/move`, { destination })

  it('moves a resource to another folder and back to the library', async () => {
    const { tess } = people
    const [folder, id] = [await newFolder(tess, 'Target'), await newResource(tess, 'Moved')]
    expect((await move(tess, id, folder)).body).toMatchObject({ id, parent: folder })
    expect(await titlesIn(tess, `parent=${folder}`)).toEqual(['Moved'])
    expect(await titlesIn(tess, 'parent=root')).not.toContain('Moved')
    expect((await move(tess, id, 'myResources')).body.parent).toBe('root')
  })

  it('opens a folder with its contents in the organization’s library, and makes it private when it is moved back', async () => {
    const { tess, theo } = people
    const folder = await newFolder(tess)
    const inner = await newFolder(tess, 'Inner', folder)
    const id = await newResource(tess, 'Waltz', inner)
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(404)
    expect((await move(tess, folder, 'organization')).body).toMatchObject({
      privacy: 'organizationPublic',
      parent: 'organization',
    })
    expect((await theo.get(`/eduResources/${id}`)).body).toMatchObject({
      privacy: 'organizationPublic',
      parent: inner,
    })
    expect((await move(tess, folder, 'root')).body).toMatchObject({ privacy: 'private', parent: 'root' })
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(404)
    expect((await tess.get(`/eduResources/${id}`)).body.privacy).toBe('private')
  })

  it('restricts a public resource to the organization', async () => {
    const vera = await app.person('vera', {
      organization: await app.organization('Open', true),
      role: 'teacher',
    })
    const id = await newResource(vera)
    await vera.put(`/eduResources/${id}`, { privacy: 'public' })
    expect((await people.abel.get(`/eduResources/${id}`)).status).toBe(200)
    expect((await move(vera, id, 'organization')).body.privacy).toBe('organizationPublic')
    expect((await people.abel.get(`/eduResources/${id}`)).status).toBe(404)
    // A move within the library keeps the privacy.
    await vera.put(`/eduResources/${id}`, { privacy: 'public' })
    const folder = await newFolder(vera, 'Inner', 'organization')
    expect((await move(vera, id, folder)).body.privacy).toBe('public')
  })

  it('moves resources of other users out of the organization’s library only for administrators', async () => {
    const { tess, theo, ada } = people
    const folder = await newFolder(tess, 'Shared', 'organization')
    await newResource(theo, 'Of Theo', folder)
    const { status, body } = await move(tess, folder, 'root')
    expect([status, body.code]).toEqual([409, 'RESOURCES_OF_OTHERS'])
    const target = await newFolder(tess, 'Target', 'organization')
    expect((await move(tess, folder, target)).status).toBe(200)
    expect((await move(ada, folder, 'root')).status).toBe(200)
  })

  it('refuses to move a folder into itself or its contents', async () => {
    const { tess } = people
    const outer = await newFolder(tess)
    const inner = await newFolder(tess, 'Inner', outer)
    for (const destination of [outer, inner]) {
      const { status, body } = await move(tess, outer, destination)
      expect([status, body.code, body.param]).toEqual([409, 'FOLDER_INTO_ITSELF', 'destination'])
    }
  })

  it('refuses more than ten nested folders', async () => {
    const { tess } = people
    const chain = async (length: number) => {
      const folders = [await newFolder(tess)]
      while (folders.length < length) folders.push(await newFolder(tess, 'Folder', folders.at(-1)))
      return folders as [string, ...string[]]
    }
    const six = await chain(6)
    const five = await chain(5)
    const { status, body } = await move(tess, five[0], six.at(-1) ?? '')
    expect([status, body.code]).toEqual([409, 'FOLDERS_TOO_DEEP'])
    expect((await move(tess, five[1] ?? '', six.at(-1) ?? '')).status).toBe(200)
  })

  it('refuses a destination where the caller cannot add resources', async () => {
    const { tess, theo } = people
    const id = await newResource(tess)
    const hidden = await newFolder(theo)
    expect((await move(tess, id, 'flatEduContent')).status).toBe(403)
    expect((await move(tess, id, hidden)).status).toBe(404)
    expect((await move(tess, id, id)).body.code).toBe('NOT_A_FOLDER')
  })

  it('creates no cycle when two folders are moved into each other concurrently on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const vera = await app.person('victoria', { organization, role: 'teacher' })
      for (let round = 0; round < 3; round++) {
        const [a, b] = [await newFolder(vera, 'A'), await newFolder(vera, 'B')]
        const replies = await Promise.all([
          move(vera, a, b),
          there(vera).post(`/eduResources/${b}/move`, { destination: a }),
        ])
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
        const parents = await Promise.all(
          [a, b].map(async (id) => (await vera.get(`/eduResources/${id}`)).body.parent),
        )
        expect(parents).toContain('root')
      }
    })
  })
})
