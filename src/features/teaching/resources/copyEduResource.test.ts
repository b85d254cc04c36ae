import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource, newResourceWithScore, titlesIn } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('copyEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('copies a colleague’s resource with new scores that the caller owns', async () => {
    const { tess, theo } = people
    const score = (await tess.post('/scores', { title: 'Waltz', data: musicXml() })).body.id
    const { id } = await newResourceWithScore(tess, score)
    const fields = { title: 'March', subjects: ['band'], grades: ['7'], privacy: 'organizationPublic' }
    await tess.put(`/eduResources/${id}`, { ...fields, sharingDescriptionHtml: '<p>Old</p>' })
    const assignment = { descriptionHtml: '<p>Play</p>', teacherInstructions: 'Listen', maxPoints: 10 }
    await tess.put(`/eduResources/${id}/assignment`, assignment)

    const { status, body } = await theo.post(`/eduResources/${id}/copy`, { destination: 'root' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...fields,
      privacy: 'private',
      creator: theo.id,
      sharingDescriptionHtml: '<p>Old</p>',
    })
    expect(body.resource).toMatchObject({
      ...assignment,
      type: 'scoreTemplate',
      capabilities: { canEdit: true },
    })
    const [attachment] = body.resource.attachments
    expect(attachment).toMatchObject({ type: 'flat', title: 'Waltz', sharingMode: 'copy' })
    expect(attachment.score).not.toBe(score)
    expect((await theo.get(`/scores/${attachment.score}`)).body).toMatchObject({
      title: 'Waltz',
      privacy: 'private',
      user: { id: theo.id },
    })
    // A change or deletion of the original does not affect the copy.
    await tess.delete(`/eduResources/${id}`)
    await tess.delete(`/scores/${score}?now=true`)
    await app.jobsDone()
    expect((await theo.get(`/scores/${attachment.score}/revisions/last/xml`)).status).toBe(200)
  })

  it('copies nested folders, and only the visible contents of a colleague’s folder', async () => {
    const { tess, theo } = people
    const folder = await newFolder(tess, 'Winter')
    const inner = await newFolder(tess, 'Inner', folder)
    const closed = await newFolder(tess, 'Closed', folder)
    const ids = [
      folder,
      inner,
      await newResource(tess, 'Open', inner),
      await newResource(tess, 'Hidden', closed),
    ]
    for (const id of ids) await tess.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    await newResource(tess, 'Private', inner)
    const copy = (await theo.post(`/eduResources/${folder}/copy`, { destination: 'organization' })).body
    expect(copy).toMatchObject({ title: 'Winter', parent: 'organization', privacy: 'organizationPublic' })
    const [copiedInner] = (await theo.get(`/eduResources?parent=${copy.id}`)).body as unknown as {
      id: string
    }[]
    expect(await titlesIn(theo, `parent=${copy.id}`)).toEqual(['Inner'])
    expect(await titlesIn(theo, `parent=${copiedInner?.id}`)).toEqual(['Open'])
    const ofTess = (await tess.post(`/eduResources/${folder}/copy`, { destination: folder })).body
    expect((await tess.get(`/eduResources?parent=${ofTess.id}`)).body).toHaveLength(2)
  })

  it('refuses a destination without permission or beyond the maximum depth', async () => {
    const { tess, theo } = people
    const id = await newFolder(tess)
    const hidden = await newFolder(theo)
    const copy = async (destination: string) => {
      const { status, body } = await tess.post(`/eduResources/${id}/copy`, { destination })
      return [status, body.code, body.param]
    }
    expect(await copy('flatEduContent')).toEqual([403, 'RESOURCE_ACCESS_DENIED', 'destination'])
    expect(await copy(hidden)).toEqual([404, 'RESOURCE_NOT_FOUND', 'destination'])
    let deepest = await newFolder(tess)
    for (let depth = 2; depth <= 10; depth++) deepest = await newFolder(tess, 'Folder', deepest)
    expect(await copy(deepest)).toEqual([409, 'FOLDERS_TOO_DEEP', 'destination'])
  })
})
