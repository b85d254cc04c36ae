import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('createEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('creates a private folder in the caller’s own library', async () => {
    const { tess } = people
    const { status, body } = await tess.post('/eduResources', { type: 'folder', title: 'Winter' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'folder',
      title: 'Winter',
      creator: tess.id,
      privacy: 'private',
      parent: 'root',
      subjects: [],
      grades: [],
      resource: { title: 'Winter', assignmentsTypes: [], resourcesCount: 0 },
      capabilities: { canEdit: true, canAddResources: true, canAddFolders: true, canChangePrivacy: true },
    })
    expect((await tess.get(`/eduResources/${body.id}`)).body).toEqual(body)
  })

  it('creates an assignment with only a title and a type', async () => {
    const { tess } = people
    const resource = { type: 'worksheet' }
    const { body } = await tess.post('/eduResources', { type: 'assignment', title: 'Scales', resource })
    expect(body).toMatchObject({ type: 'assignment', title: 'Scales', privacy: 'private' })
    expect(body.resource).toMatchObject({
      type: 'worksheet',
      title: 'Scales',
      attachments: [],
      capabilities: { canEdit: true, canPublishInClass: true, canArchive: false, canUnarchive: false },
    })
    expect(body.capabilities).toMatchObject({ canAddResources: false, canAddFolders: false })
    expect(
      (await tess.post('/eduResources', { type: 'assignment', title: 'Plain' })).body.resource.type,
    ).toBe('none')
  })

  it('creates resources in the organization’s library that are open to the organization', async () => {
    const { body } = await people.tess.post('/eduResources', {
      type: 'folder',
      title: 'A',
      parent: 'organization',
    })
    expect(body).toMatchObject({ privacy: 'organizationPublic', parent: 'organization' })
  })

  it('sanitizes an HTML description and derives the plain text from it', async () => {
    const html = '<p>For <b>beginners</b><script>alert(1)</script></p><p onclick="x()">A &amp; B</p>'
    const { body } = await people.tess.post('/eduResources', {
      type: 'folder',
      title: 'A',
      sharingDescriptionHtml: html,
    })
    expect(body.sharingDescriptionHtml).toBe('<p>For <b>beginners</b></p><p>A &amp; B</p>')
    expect(body.sharingDescription).toBe('For beginners\nA & B')
  })

  it('allows colleagues to add to a folder in the organization’s library, but not in the caller’s own', async () => {
    const { tess, theo } = people
    const shared = await newFolder(tess, 'Shared', 'organization')
    expect(await newResource(theo, 'Of Theo', shared)).toMatch(/^[0-9a-f]{24}$/)
    const own = await newFolder(tess)
    await tess.put(`/eduResources/${own}`, { privacy: 'organizationPublic' })
    const { status, body } = await theo.post('/eduResources', { type: 'folder', title: 'A', parent: own })
    expect([status, body.code, body.param]).toEqual([403, 'RESOURCE_ACCESS_DENIED', 'parent'])
  })

  it('refuses the shipped library, an assignment and an unknown folder as parent', async () => {
    const { tess, theo } = people
    const assignment = await newResource(tess)
    const hidden = await newFolder(theo)
    const refused = async (parent: string) => {
      const { status, body } = await tess.post('/eduResources', { type: 'folder', title: 'A', parent })
      return [status, body.code, body.param]
    }
    expect(await refused('flatEduContent')).toEqual([403, 'RESOURCE_ACCESS_DENIED', 'parent'])
    expect(await refused(assignment)).toEqual([400, 'NOT_A_FOLDER', 'parent'])
    for (const parent of [hidden, 'nowhere']) {
      expect(await refused(parent)).toEqual([404, 'RESOURCE_NOT_FOUND', 'parent'])
    }
  })

  it('allows ten nested folders with assignments in the last one, and refuses an eleventh', async () => {
    const { tess } = people
    let parent = 'root'
    for (let depth = 1; depth <= 10; depth++) parent = await newFolder(tess, `Level ${depth}`, parent)
    await newResource(tess, 'Deep', parent)
    const { status, body } = await tess.post('/eduResources', { type: 'folder', title: 'Too deep', parent })
    expect([status, body.code]).toEqual([409, 'FOLDERS_TOO_DEEP'])
  })

  it('refuses an empty title and callers who are not teachers', async () => {
    for (const title of ['', ' ', 'A'.repeat(1001), undefined]) {
      const { status, body } = await people.tess.post('/eduResources', { type: 'folder', title })
      expect([status, body.param]).toEqual([400, 'title'])
    }
    for (const person of [people.sam, people.otto]) {
      const { status, body } = await person.post('/eduResources', { type: 'nothing' })
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    }
  })
})
