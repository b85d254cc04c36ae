import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, setClassState } from '../../../../test/support/classes.ts'
import { newFolder, newResource, newResourceWithScore } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('useEduResourceInClass', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const createClass = () => newClass(app, people.id, { teachers: [people.theo], students: [people.sam] })

  it('copies a resource of a colleague to a draft with a score that the caller owns', async () => {
    const { tess, theo, sam } = people
    const { id: classroom } = await createClass()
    const { id, score } = await newResourceWithScore(
      tess,
      (await tess.post('/scores', emptyPiano('Theme'))).body.id,
      'organization',
    )
    await tess.put(`/eduResources/${id}/assignment`, { description: 'Write', teacherInstructions: 'Wait' })
    const { status, body } = await theo.post(`/eduResources/${id}/useInClass`, { classroom })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'draft',
      classroom,
      creator: theo.id,
      title: 'Waltz',
      type: 'scoreTemplate',
      description: 'Write',
      teacherInstructions: 'Wait',
      submissions: [],
      attachments: [{ type: 'flat', title: 'Theme', sharingMode: 'copy' }],
    })
    const copy = body.attachments[0].score
    expect(copy).not.toBe(score)
    expect((await theo.get(`/classes/${classroom}/assignments`)).body).toMatchObject([{ id: body.id }])
    expect((await sam.get(`/scores/${copy}`)).status).toBe(404)
    expect((await theo.get(`/scores/${copy}`)).body.rights.aclAdmin).toBe(true)
  })

  it('replaces the content of the draft in the request, and refuses a published assignment', async () => {
    const { theo } = people
    const schoolClass = await createClass()
    const resource = await newResource(theo, 'March')
    const draft = (await newAssignment(theo, schoolClass, { title: 'Old', state: 'draft' })).id
    const dueDate = '2030-01-01T00:00:00.000Z'
    const dated = (await newAssignment(theo, schoolClass, { title: 'Old', state: 'draft', dueDate })).id
    for (const assignment of [draft, dated]) {
      const { body } = await theo.post(`/eduResources/${resource}/useInClass`, {
        classroom: schoolClass.id,
        assignment,
      })
      expect(body).toMatchObject({ id: assignment, title: 'March', state: 'draft' })
      expect(body.dueDate).toBe(assignment === dated ? dueDate : undefined)
    }
    const published = (await newAssignment(theo, schoolClass)).id
    const reply = await theo.post(`/eduResources/${resource}/useInClass`, {
      classroom: schoolClass.id,
      assignment: published,
    })
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([
      409,
      'ASSIGNMENT_STATE_CONFLICT',
      'assignment',
    ])
  })

  it('is limited to classes that the caller teaches, and to assignments', async () => {
    const { tess, theo } = people
    const schoolClass = await createClass()
    const use = async (resource: string, classroom: string) => {
      const { status, body } = await theo.post(`/eduResources/${resource}/useInClass`, { classroom })
      return [status, body.code, body.param]
    }
    const resource = await newResource(theo)
    const other = await newClass(app, people.id, { teachers: [tess] })
    expect(await use(resource, other.id)).toEqual([404, 'CLASS_NOT_FOUND', 'classroom'])
    expect(await use(await newFolder(theo), schoolClass.id)).toEqual([400, 'NOT_AN_ASSIGNMENT', undefined])
    expect(await use(await newResource(tess), schoolClass.id)).toEqual([404, 'RESOURCE_NOT_FOUND', undefined])
    await setClassState(app, schoolClass, 'archived')
    expect(await use(resource, schoolClass.id)).toEqual([409, 'CLASS_ARCHIVED', 'classroom'])
  })
})
