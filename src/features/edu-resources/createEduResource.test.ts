import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../test/support/app.ts'
import { newFolder, newResource } from '../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'

describeApp('createEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('makes a folder, private in the library of who makes it', async () => {
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

  it('makes an assignment that says nothing yet but its title and type', async () => {
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
    expect((await tess.post('/eduResources', { type: 'assignment', title: 'Plain' })).body.resource.type).toBe('none')
  })

  it('makes what is in the organization’s library open to it', async () => {
    const { body } = await people.tess.post('/eduResources', { type: 'folder', title: 'A', parent: 'organization' })
    expect(body).toMatchObject({ privacy: 'organizationPublic', parent: 'organization' })
  })

  it('takes no harm from HTML, and reads the plain text off it', async () => {
    const html = '<p>For <b>beginners</b><script>alert(1)</script></p><p onclick="x()">A &amp; B</p>'
    const { body } = await people.tess.post('/eduResources', {
      type: 'folder',
      title: 'A',
      sharingDescriptionHtml: html,
    })
    expect(body.sharingDescriptionHtml).toBe('<p>For <b>beginners</b></p><p>A &amp; B</p>')
    expect(body.sharingDescription).toBe('For beginners\nA & B')
  })

  it('lets colleagues add to one’s folder in the organization’s library, and to none in one’s own', async () => {
    const { tess, theo } = people
    const shared = await newFolder(tess, 'Shared', 'organization')
    expect(await newResource(theo, 'Of Theo', shared)).toMatch(/^[0-9a-f]{24}$/)
    const own = await newFolder(tess)
    await tess.put(`/eduResources/${own}`, { privacy: 'organizationPublic' })
    const { status, body } = await theo.post('/eduResources', { type: 'folder', title: 'A', parent: own })
    expect([status, body.code, body.param]).toEqual([403, 'RESOURCE_ACCESS_DENIED', 'parent'])
  })

  it('adds nothing to what ships with Partita, to an assignment, or to what is not there', async () => {
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

  it('lets ten folders lie in one another, with assignments in the last, and no eleventh', async () => {
    const { tess } = people
    let parent = 'root'
    for (let depth = 1; depth <= 10; depth++) parent = await newFolder(tess, `Level ${depth}`, parent)
    await newResource(tess, 'Deep', parent)
    const { status, body } = await tess.post('/eduResources', { type: 'folder', title: 'Too deep', parent })
    expect([status, body.code]).toEqual([409, 'FOLDERS_TOO_DEEP'])
  })

  it('refuses a title that is none, and who does not teach', async () => {
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
