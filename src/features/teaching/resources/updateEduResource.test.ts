import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('updateEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('changes the given fields and the title of the assignment', async () => {
    const { tess } = people
    const id = await newResource(tess, 'Waltz')
    const change = { title: 'March', subjects: ['choir', 'band'], grades: ['3', 'university'] }
    const { status, body } = await tess.put(`/eduResources/${id}`, change)
    expect(status).toBe(200)
    // The values are sorted as in the interface.
    expect(body).toMatchObject({ title: 'March', subjects: ['band', 'choir'], grades: ['3', 'university'] })
    expect(body.resource.title).toBe('March')
    const again = await tess.put(`/eduResources/${id}`, { sharingDescription: 'For winds' })
    expect(again.body).toMatchObject({
      title: 'March',
      subjects: ['band', 'choir'],
      sharingDescription: 'For winds',
    })
    expect((await tess.get(`/eduResources/${id}`)).body).toEqual(again.body)
  })

  it('accepts plain text instead of HTML', async () => {
    const { tess } = people
    const id = await newFolder(tess)
    await tess.put(`/eduResources/${id}`, { sharingDescriptionHtml: '<p>Old</p>' })
    const { body } = await tess.put(`/eduResources/${id}`, { sharingDescription: 'New' })
    expect(body.sharingDescription).toBe('New')
    expect(body).not.toHaveProperty('sharingDescriptionHtml')
  })

  it('is permitted to the creator and, in the organization’s library, to administrators', async () => {
    const { tess, theo, ada } = people
    const own = await newFolder(tess)
    await tess.put(`/eduResources/${own}`, { privacy: 'organizationPublic' })
    const shared = await newFolder(tess, 'Shared', 'organization')
    const statuses = async (id: string) =>
      Promise.all(
        [tess, theo, ada].map(async (one) => (await one.put(`/eduResources/${id}`, { title: 'B' })).status),
      )
    expect(await statuses(own)).toEqual([200, 403, 403])
    expect(await statuses(shared)).toEqual([200, 403, 200])
  })

  it('refuses private resources in the organization’s library, and public ones if the organization forbids them', async () => {
    const { tess } = people
    const shared = await newFolder(tess, 'Shared', 'organization')
    const closed = await tess.put(`/eduResources/${shared}`, { privacy: 'private' })
    expect([closed.status, closed.body.code, closed.body.param]).toEqual([
      409,
      'RESOURCE_NOT_PRIVATE',
      'privacy',
    ])
    const opened = await tess.put(`/eduResources/${await newFolder(tess)}`, { privacy: 'public' })
    expect([opened.status, opened.body.code, opened.body.param]).toEqual([
      403,
      'PUBLIC_RESOURCES_DISABLED',
      'privacy',
    ])
  })

  it('refuses invalid values', async () => {
    const { tess } = people
    const id = await newFolder(tess)
    for (const [field, value] of [
      ['title', ' '],
      ['privacy', 'secret'],
      ['subjects', ['chess']],
      ['grades', '7'],
      ['sharingDescription', 'A'.repeat(401)],
      ['sharingDescriptionHtml', 'A'.repeat(10_001)],
    ] as const) {
      const { status, body } = await tess.put(`/eduResources/${id}`, { [field]: value })
      expect([field, status, body.param]).toEqual([field, 400, expect.stringContaining(field)])
    }
  })
})
