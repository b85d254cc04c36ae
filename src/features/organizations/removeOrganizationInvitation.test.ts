import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'

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

  it('takes an invitation back, and says so in the audit log', async () => {
    const id = await invite(anna)
    expect((await people.ada.delete(`${path}/${id}`)).status).toBe(204)
    expect((await people.ada.get(path)).body).toEqual([])
    expect((await auditOf(app, id)).map(({ actor, action }) => [actor, action])).toEqual([
      [anna.id, 'invitation.created'],
      [people.ada.id, 'invitation.removed'],
    ])
  })

  it('is 404 for one that is gone, is none, or is of another organization', async () => {
    const [gone, foreign] = [await invite(people.ada), await invite(people.abel)]
    await people.ada.delete(`${path}/${gone}`)
    for (const id of [gone, foreign, 'nonsense']) {
      const { status, body } = await people.ada.delete(`${path}/${id}`)
      expect([status, body.code]).toEqual([404, 'INVITATION_NOT_FOUND'])
    }
    expect((await people.abel.get(path)).body).toHaveLength(1)
  })

  it('leaves an invitation above one’s own role alone', async () => {
    const id = await invite(anna, 'accountAdmin')
    const { status, body } = await people.ada.delete(`${path}/${id}`)
    expect([status, body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    expect((await anna.delete(`${path}/${id}`)).status).toBe(204)
  })

  it('keeps who has come by it', async () => {
    const id = await invite(people.ada)
    const use = { invitation_id: id, user_id: people.tess.id, created_at: 1 }
    await app.ctx.transaction((tx) => tx.insertInto('invitation_uses').values(use).execute())
    expect((await people.ada.delete(`${path}/${id}`)).status).toBe(204)
    expect((await people.tess.get('/me')).body.organization).toBe(people.id)
  })

  it('is for administrators, who are refused before anything is looked for', async () => {
    const id = await invite(people.ada)
    for (const person of [people.tess, people.sam, people.otto]) {
      for (const one of [id, 'nonsense']) {
        expect((await person.delete(`${path}/${one}`)).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
      }
    }
  })
})
