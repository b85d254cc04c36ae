import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { rejectionOf } from '../../../../test/support/failure.ts'
import { newFolder, newResource } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import type { Actor } from '../../../actor.ts'
import { composeResource, composeResourceAssignment } from './compose.ts'
import { canSee, loadResource } from './policy.ts'

describeApp('updateEduResourceAssignment', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('changes the assignment, and the title and type of the resource', async () => {
    const { tess } = people
    const id = await newResource(tess)
    const change = {
      title: 'March',
      type: 'performance',
      descriptionHtml: '<p>Play</p>',
      teacherInstructions: 'Listen',
      maxPoints: 20,
      recordingType: 'video',
    }
    const { status, body } = await tess.put(`/eduResources/${id}/assignment`, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...change, description: 'Play', attachments: [] })
    const resource = (await tess.get(`/eduResources/${id}`)).body
    expect(resource).toMatchObject({ title: 'March', resource: body })
    expect((await tess.get('/eduResources?assignmentTypes=performance')).body).toMatchObject([{ id }])
  })

  it('replaces the attachments by scores that the caller can read', async () => {
    const { tess, theo } = people
    const id = await newResource(tess)
    const [first, second, foreign] = await Promise.all(
      [tess, tess, theo].map(async (one) => (await one.post('/scores', emptyPiano())).body.id),
    )
    const attach = (score: string) => tess.put(`/eduResources/${id}/assignment`, { attachments: [{ score }] })
    await attach(first)
    expect((await attach(second)).body.attachments).toMatchObject([{ type: 'flat', score: second }])
    const { status, body } = await attach(foreign)
    expect([status, body.code, body.param]).toEqual([404, 'SCORE_NOT_FOUND', 'attachments.0.score'])
  })

  it('refuses a folder', async () => {
    const folder = await newFolder(people.tess)
    const { status, body } = await people.tess.put(`/eduResources/${folder}/assignment`, { title: 'A' })
    expect([status, body.code]).toEqual([400, 'NOT_AN_ASSIGNMENT'])
  })

  it('returns 404 if the resource is deleted while the response is composed', async () => {
    const { tess } = people
    const id = await newResource(tess)
    const { read } = app.ctx.db
    const loaded = await loadResource(read, actorOf(people), id, canSee)
    expect((await tess.delete(`/eduResources/${id}`)).status).toBe(204)
    for (const compose of [composeResource, composeResourceAssignment]) {
      expect((await rejectionOf(compose(read, loaded))).code).toBe('RESOURCE_NOT_FOUND')
    }
  })
})

const actorOf = ({ id: organization, tess }: School) =>
  ({ id: tess.id, organization, organizationRole: 'teacher' }) as Actor
