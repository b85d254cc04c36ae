import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource, newResourceWithScore, titlesIn } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('getEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('counts the direct contents of a folder', async () => {
    const { tess } = people
    const folder = await newFolder(tess, 'Winter')
    const inner = await newFolder(tess, 'Inner', folder)
    await newResource(tess, 'A', folder, { resource: { type: 'performance' } })
    await newResource(tess, 'B', folder, { resource: { type: 'performance' } })
    await newResource(tess, 'C', inner, { resource: { type: 'worksheet' } })
    const { body } = await tess.get(`/eduResources/${folder}`)
    expect(body.resource).toMatchObject({ assignmentsTypes: ['performance'], resourcesCount: 3 })
  })

  it('sends the required fields of an assignment with a folder, for clients that know only one shape', async () => {
    const folder = await newFolder(people.tess, 'Winter')
    const { body } = await people.tess.get(`/eduResources/${folder}`)
    expect(body.resource).toEqual({
      id: folder,
      type: 'none',
      title: 'Winter',
      attachments: [],
      capabilities: { canEdit: true, canPublishInClass: false, canArchive: false, canUnarchive: false },
      assignmentsTypes: [],
      resourcesCount: 0,
    })
  })

  it('gathers the subjects and grades of everything in a folder that the caller can see', async () => {
    const { tess, theo } = people
    const outer = await newFolder(tess)
    const inner = await newFolder(tess, 'Inner', outer)
    const [band, choir] = [await newResource(tess, 'A', outer), await newResource(tess, 'B', inner)]
    await tess.put(`/eduResources/${band}`, { subjects: ['band'], grades: ['3'] })
    await tess.put(`/eduResources/${choir}`, { subjects: ['choir', 'band'], grades: ['7'] })
    await tess.put(`/eduResources/${outer}`, { subjects: ['other'] })
    const setsFor = async (person: School['tess'], id: string) => {
      const { subjects, grades } = (await person.get(`/eduResources/${id}`)).body
      return { subjects, grades }
    }
    expect(await setsFor(tess, outer)).toEqual({ subjects: ['band', 'choir', 'other'], grades: ['3', '7'] })
    expect(await setsFor(tess, inner)).toEqual({ subjects: ['band', 'choir'], grades: ['7'] })
    for (const id of [outer, band]) await tess.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    expect(await setsFor(theo, outer)).toEqual({ subjects: ['band', 'other'], grades: ['3'] })
    const found = async (query: string) => (await titlesIn(tess, query)).length
    expect(await found(`parent=${outer}&grades=7`)).toBe(1)
    expect(await found(`parent=${outer}&grades=8`)).toBe(0)
    expect(await found(`parent=${outer}&subjects=band`)).toBe(2)
  })

  it('hides private resources, and shows open ones with the capabilities of the caller', async () => {
    const { tess, theo, ada, abel } = people
    const folder = await newFolder(tess)
    const [open, closed] = [
      await newResource(tess, 'Open', folder),
      await newResource(tess, 'Closed', folder),
    ]
    for (const id of [folder, open]) await tess.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    for (const colleague of [theo, ada]) {
      expect((await colleague.get(`/eduResources/${closed}`)).status).toBe(404)
      const { body } = await colleague.get(`/eduResources/${open}`)
      expect(body.capabilities).toEqual({
        canEdit: false,
        canAddResources: false,
        canAddFolders: false,
        canChangePrivacy: false,
      })
      expect(body.resource.capabilities).toMatchObject({ canEdit: false, canPublishInClass: true })
      expect((await colleague.get(`/eduResources/${folder}`)).body.resource.resourcesCount).toBe(1)
    }
    for (const id of [folder, open]) expect((await abel.get(`/eduResources/${id}`)).status).toBe(404)
  })

  it('names the parent only to callers who can see it', async () => {
    const { tess, theo, abel } = people
    const vera = await app.person('viola', {
      organization: await app.organization('Parents', true),
      role: 'teacher',
    })
    const parentOf = async (person: School['tess'], id: string) =>
      (await person.get(`/eduResources/${id}`)).body.parent
    const folder = await newFolder(vera)
    const [inside, outside] = [await newResource(vera, 'In', folder), await newResource(vera, 'Out')]
    const shared = await newResource(vera, 'Shared', 'organization')
    for (const id of [inside, outside, shared]) await vera.put(`/eduResources/${id}`, { privacy: 'public' })
    for (const id of [inside, outside, shared]) expect(await parentOf(abel, id)).toBeUndefined()
    expect(await Promise.all([inside, outside, shared].map((id) => parentOf(vera, id)))).toEqual([
      folder,
      'root',
      'organization',
    ])
    const ofTess = await newFolder(tess)
    const open = await newResource(tess, 'Open', ofTess)
    await tess.put(`/eduResources/${open}`, { privacy: 'organizationPublic' })
    expect(await parentOf(theo, open)).toBeUndefined()
    await tess.put(`/eduResources/${ofTess}`, { privacy: 'organizationPublic' })
    expect(await parentOf(theo, open)).toBe(ofTess)
    expect(await parentOf(theo, ofTess)).toBeUndefined()
  })

  it('shows public resources to other organizations while the organization permits it', async () => {
    const vera = await app.person('vera', {
      organization: await app.organization('Open', true),
      role: 'teacher',
    })
    const id = await newResource(vera)
    await vera.put(`/eduResources/${id}`, { privacy: 'public' })
    expect((await people.tess.get(`/eduResources/${id}`)).status).toBe(200)
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('organizations')
        .set({ allows_public_scores: 0 })
        .where('id', '=', (eb) => eb.selectFrom('users').where('id', '=', vera.id).select('organization_id'))
        .execute(),
    )
    expect((await people.tess.get(`/eduResources/${id}`)).status).toBe(404)
  })

  it('gives every viewer except students read access to its scores, until it becomes private', async () => {
    const { tess, theo, sam, abel, otto } = people
    const { id, score } = await newResourceWithScore(tess, (await tess.post('/scores', emptyPiano())).body.id)
    const canRead = async () =>
      Promise.all([theo, sam, abel, otto].map(async (one) => (await one.get(`/scores/${score}`)).status))
    expect(await canRead()).toEqual([404, 404, 404, 404])
    await tess.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    expect(await canRead()).toEqual([200, 404, 404, 404])
    expect((await theo.get(`/scores/${score}`)).body.rights).toMatchObject({ aclRead: true, aclWrite: false })
    await tess.put(`/eduResources/${id}`, { privacy: 'private' })
    expect(await canRead()).toEqual([404, 404, 404, 404])
  })

  it('returns 404 for resources of a removed member', async () => {
    const { ada, theo } = people
    const removed = await app.person('gone', { organization: people.id, role: 'teacher' })
    const id = await newResource(removed)
    await removed.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(200)
    await ada.delete(`/organizations/users/${removed.id}`)
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(404)
  })
})
