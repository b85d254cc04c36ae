import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

type Event = { type: string; data: Record<string, string | null> }

describeApp('listOrganizationEvents', (app) => {
  let school: School
  beforeAll(async () => {
    school = await makeSchool(app)
  })

  it('returns what happens in classes, from their creation to the returned work', async () => {
    const { ada, tess, sam } = school
    const { body: schoolClass } = await tess.post('/classes', { name: 'Secret name' })
    await tess.put(`/classes/${schoolClass.id}/users/${sam.id}`)
    const { body: draft } = await tess.post(`/classes/${schoolClass.id}/assignments`, { title: 'Draft' })
    const assignment = await newAssignment(tess, schoolClass, { title: 'Secret title' })
    const submission = await newSubmission(sam, schoolClass, assignment)
    const at = `${submissionsOf(schoolClass, assignment)}/${submission.id}`
    await sam.put(submissionsOf(schoolClass, assignment), { submit: true })
    await tess.post(`${at}/comments`, { comment: 'Secret comment' })
    await tess.put(at, { draftGrade: 4 })
    await tess.put(at, { grade: 5, return: true })
    await tess.put(`/classes/${schoolClass.id}/assignments/${assignment.id}`, { dueDate: null })
    await tess.delete(`/classes/${schoolClass.id}/assignments/${draft.id}`)
    await tess.post(`/classes/${schoolClass.id}/assignments/${assignment.id}/archive`)
    await tess.post(`/classes/${schoolClass.id}/archive`)

    const { body } = await ada.get('/organizations/events?limit=100')
    const events: Event[] = body.filter(({ data }: Event) => data.class === schoolClass.id)
    expect(events.map(({ type, data }) => [type, data.actor])).toEqual([
      ['class.created', tess.id],
      ['class.member-added', tess.id],
      ['assignment.published', tess.id],
      ['submission.created', sam.id],
      ['submission.submitted', sam.id],
      ['submission.commented', tess.id],
      ['submission.graded', tess.id],
      ['submission.returned', tess.id],
      ['assignment.updated', tess.id],
      ['assignment.deleted', tess.id],
      ['assignment.archived', tess.id],
      ['class.archived', tess.id],
    ])
    expect(events[4]?.data).toEqual({
      actor: sam.id,
      url: `${app.ctx.config.publicUrl}/v2${at}`,
      class: schoolClass.id,
      assignment: assignment.id,
      submission: submission.id,
    })
    expect(JSON.stringify(body)).not.toMatch(/Secret|grade"|"4"|"5"/)
  })

  it('has the events of the audit log that concern members, but not sign-ins', async () => {
    const { ada } = school
    const { body: nina } = await ada.post('/organizations/users', {
      username: 'nina',
      password: 'correct horse',
    })
    await ada.post(`/organizations/users/${nina.id}/signinLink`, {})
    await ada.delete(`/organizations/users/${nina.id}`)
    const { body } = await ada.get('/organizations/events?types=user.created,user.removed,user.updated')
    const url = `${app.ctx.config.publicUrl}/v2/users/${nina.id}`
    expect(body.map(({ type, data }: Event) => [type, data])).toEqual([
      ['user.created', { actor: ada.id, url, user: nina.id }],
      ['user.removed', { actor: ada.id, url, user: nina.id }],
    ])
  })

  it('belongs to the administrators of the organization', async () => {
    const { ada, abel, tess, sam, otto } = school
    for (const person of [tess, sam, otto]) {
      const { status, body } = await person.get('/organizations/events')
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    }
    await tess.post('/classes', { name: 'A' })
    const [event] = (await ada.get('/organizations/events?types=class.created')).body
    expect((await abel.get('/organizations/events?types=class.created')).body).toEqual([])
    const { status, body } = await abel.get(`/organizations/events?after=${event.id}`)
    expect([status, body.code]).toEqual([400, 'INVALID_CURSOR'])
  })
})
