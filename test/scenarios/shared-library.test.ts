import { type FlatClient, FlatNotFoundError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../support/app.ts'
import { newClass } from '../support/classes.ts'
import { recordingClients, scenarioOperations } from '../support/official-client.ts'
import { makeSchool, type School } from '../support/school.ts'
import { musicXml } from '../support/scores.ts'

describeApp('sharing a resource library with the official client', (app) => {
  const { clientOf, called } = recordingClients(app)
  let people: School
  let ofTess: FlatClient
  let ofTheo: FlatClient
  let folder: string
  let resource: string
  let score: string
  /** Theo's class, and the draft assignment and score in it that were copied from the library. */
  let classroom: string
  let draft: string
  let copy: string

  beforeAll(async () => {
    people = await makeSchool(app)
    ofTess = clientOf(people.tess)
    ofTheo = clientOf(people.theo)
    classroom = (await newClass(app, people.id, { teachers: [people.theo], students: [people.sam] })).id
  })

  it('lists the libraries', async () => {
    const libraries = await ofTess.eduResources.listEduLibraries()
    expect(libraries.map(({ id, type }) => [id, type])).toEqual([
      ['root', 'myResources'],
      ['organization', 'organizationResources'],
      ['flatEduContent', 'flatEduContent'],
    ])
  })

  it('creates a folder with an assignment and its score', async () => {
    const { eduResources } = ofTess
    const created = await eduResources.createEduResource({
      eduResourceCreation: {
        type: 'folder',
        title: 'Winter',
        sharingDescriptionHtml: '<p>For the <b>winter</b></p>',
      },
    })
    folder = created.id
    expect(created.sharingDescription).toBe('For the winter')
    resource = (
      await eduResources.createEduResource({
        eduResourceCreation: {
          type: 'assignment',
          title: 'Waltz',
          parent: folder,
          resource: { type: 'scoreTemplate' },
        },
      })
    ).id
    score = (
      await ofTess.scores.createScore({ body: { data: musicXml({ title: 'Theme' }), privacy: 'private' } })
    ).id
    const assignment = await eduResources.updateEduResourceAssignment({
      resource,
      assignmentUpdate: {
        descriptionHtml: '<p>Go on with the waltz</p>',
        attachments: [{ type: 'flat', score, sharingMode: 'copy' }],
      },
    })
    expect(assignment).toMatchObject({
      description: 'Go on with the waltz',
      attachments: [{ score, title: 'Theme' }],
    })
    const eduResourceUpdate = { subjects: ['composition' as const], grades: ['7' as const, '8' as const] }
    await eduResources.updateEduResource({ resource, eduResourceUpdate })
    expect(await eduResources.getEduResource({ resource })).toMatchObject({
      ...eduResourceUpdate,
      parent: folder,
      resource: { type: 'scoreTemplate', attachments: [{ score }] },
    })
    expect(await eduResources.getEduResource({ resource: folder })).toMatchObject({
      ...eduResourceUpdate,
      type: 'folder',
      resource: { id: folder, type: 'none', title: 'Winter', attachments: [] },
    })
  })

  it('shares the folder with the organization', async () => {
    await expect(ofTheo.eduResources.getEduResource({ resource })).rejects.toBeInstanceOf(FlatNotFoundError)
    const moved = await ofTess.eduResources.moveEduResource({
      resource: folder,
      eduResourceMove: { destination: 'organization' },
    })
    expect(moved).toMatchObject({ parent: 'organization', privacy: 'organizationPublic' })
    const resources = await ofTheo.eduResources.listEduResources({
      parent: 'organization',
      subjects: ['composition'],
      grades: ['8', '9'],
      type: 'assignment',
    })
    expect(resources.map(({ id }) => id)).toEqual([resource])
    expect(await ofTheo.scores.getScore({ score })).toMatchObject({
      title: 'Theme',
      rights: { aclWrite: false },
    })
  })

  it('uses the shared assignment in a colleague’s class', async () => {
    const used = await ofTheo.eduResources.useEduResourceInClass({
      resource,
      eduResourceUseInClass: { classroom },
    })
    expect(used).toMatchObject({ title: 'Waltz', state: 'draft', classroom, submissions: [] })
    draft = used.id
    copy = used.attachments[0]?.score ?? ''
    expect(copy).not.toBe(score)
    const tried = await ofTheo.eduResources.copyEduResourceToDemoClass({ resource })
    expect(tried).toMatchObject({ title: 'Waltz', state: 'draft' })
    expect((await ofTheo.classes.listClasses()).map(({ id }) => id)).toContain(tried.classroom)
  })

  it('does not change the assignment in the class when the original changes', async () => {
    const { eduResources, scores } = ofTess
    const assignmentUpdate = { title: 'March', description: 'Something else' }
    await eduResources.updateEduResourceAssignment({ resource, assignmentUpdate })
    const data = musicXml({ title: 'Another', measures: ['G4 G4 G4 G4', 'C4 C4 C4 C4'] })
    await scores.createScoreRevision({ score, body: { data } })
    expect(await eduResources.getEduResource({ resource })).toMatchObject({ title: 'March' })
    const [inClass] = await ofTheo.classes.listAssignments({ _class: classroom })
    expect(inClass).toMatchObject({ id: draft, title: 'Waltz', description: 'Go on with the waltz' })
    expect(await ofTheo.scores.getScore({ score: copy })).toMatchObject({ numberMeasures: 1 })
  })

  it('keeps a colleague’s copy after the original is deleted', async () => {
    const copied = await ofTheo.eduResources.copyEduResource({
      resource: folder,
      eduResourceCopy: { destination: 'root' },
    })
    expect(copied).toMatchObject({
      title: 'Winter',
      parent: 'root',
      privacy: 'private',
      creator: people.theo.id,
    })
    await ofTess.eduResources.deleteEduResource({ resource: folder })
    await expect(ofTheo.eduResources.getEduResource({ resource })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(ofTheo.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    const inside = await ofTheo.eduResources.listEduResources({ parent: copied.id })
    expect(inside.map(({ title }) => title)).toEqual(['March'])
    expect((await ofTheo.classes.listAssignments({ _class: classroom })).map(({ id }) => id)).toEqual([draft])
  })

  it('has called every operation on its list', () => {
    expect([...called]).toEqual(expect.arrayContaining([...scenarioOperations['shared-library']]))
  })
})
