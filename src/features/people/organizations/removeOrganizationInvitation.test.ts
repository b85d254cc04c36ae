import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

const path = '/organizations/invitations'

describeApp('removeOrganizationInvitation', (app) => {
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  const invite = async (person: Person, organizationRole = 'teacher'): Promise<string> =>
    (await person.post(path, { organizationRole })).body.id

  it('deletes an invitation, and records it in the audit log', async () => {
    const id = await invite(anna)
    expect((await people.ada.delete(`${path}/${id}`)).status).toBe(204)
    expect((await people.ada.get(path)).body).toEqual([])
    expect((await auditOf(app, id)).map(({ actor, action }) => [actor, action])).toEqual([
      [anna.id, 'invitation.created'],
      [people.ada.id, 'invitation.removed'],
    ])
  })

  it('returns 404 for a deleted or unknown invitation, and for one of another organization', async () => {
    const [deleted, foreign] = [await invite(people.ada), await invite(people.abel)]
    await people.ada.delete(`${path}/${deleted}`)
    for (const id of [deleted, foreign, 'nonsense']) {
      const { status, body } = await people.ada.delete(`${path}/${id}`)
      expect([status, body.code]).toEqual([404, 'INVITATION_NOT_FOUND'])
    }
    expect((await people.abel.get(path)).body).toHaveLength(1)
  })

  it('refuses an invitation for a role above the caller’s', async () => {
    const id = await invite(anna, 'accountAdmin')
    const { status, body } = await people.ada.delete(`${path}/${id}`)
    expect([status, body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    expect((await anna.delete(`${path}/${id}`)).status).toBe(204)
  })

  it('keeps the users who accepted the invitation', async () => {
    const id = await invite(people.ada)
    const use = { invitation_id: id, user_id: people.tess.id, created_at: 1 }
    await app.ctx.transaction((tx) => tx.insertInto('invitation_uses').values(use).execute())
    expect((await people.ada.delete(`${path}/${id}`)).status).toBe(204)
    expect((await people.tess.get('/me')).body.organization).toBe(people.id)
  })

  it('refuses other members before it looks for the invitation', async () => {
    const id = await invite(people.ada)
    for (const person of [people.tess, people.sam, people.otto]) {
      for (const one of [id, 'nonsense']) {
        expect((await person.delete(`${path}/${one}`)).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
      }
    }
  })
})
