import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { pngOf } from '../../../../test/support/pictures.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { withoutOwner } from '../../../../test/support/sharing.ts'
import { wrongCounts } from '../../../../test/support/stored-bytes.ts'
import { updateUser } from '../users/store.ts'

const path = '/organizations/users'

describeEachDatabase('removeOrganizationUser', (databases) => {
  const app = useApp(databases, {}, { clock: testClock() })
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const member = (username: string, role: 'user' | 'teacher' | 'admin' | 'accountAdmin' = 'user') =>
    app.person(username, { organization: people.id, role })
  const remove = (person: Person, by: Person = people.ada, query = '') =>
    by.delete(`${path}/${person.id}${query}`)

  it('disables the account immediately, and hides it from other users', async () => {
    const pia = await member('pia')
    const schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [pia] })
    const { body: score } = await pia.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })
    const { body: shared } = await people.tess.post('/scores', emptyPiano())
    await people.tess.post(`/scores/${shared.id}/collaborators`, { user: pia.id })
    expect((await remove(pia)).status).toBe(204)
    expect((await pia.get('/me')).status).toBe(401)
    expect((await people.tess.get(`/users/${pia.id}`)).status).toBe(404)
    expect((await people.tess.get(`/scores/${score.id}`)).status).toBe(404)
    expect(withoutOwner((await people.tess.get(`/scores/${shared.id}/collaborators`)).body)).toEqual([])
    expect((await people.tess.get(`/groups/${schoolClass.studentsGroup}/users`)).body).toEqual([])
    expect((await people.tess.get(`/groups/${schoolClass.studentsGroup}`)).body.usersCount).toBe(0)
    expect((await remove(pia)).body.code).toBe('USER_NOT_FOUND')
    const audited = { organization: people.id, actor: people.ada.id, action: 'user.removed', details: {} }
    expect(await auditOf(app, pia.id)).toEqual([audited])
  })

  it('converts a member to an individual account that keeps its scores', async () => {
    const lea = await member('lea', 'teacher')
    const schoolClass = await newClass(app, people.id, { teachers: [lea, people.theo] })
    const { body: score } = await lea.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })
    expect((await remove(lea, people.ada, '?convertToIndividual=true')).status).toBe(204)
    const { body } = await lea.get('/me')
    expect([body.product, body.organization, body.organizationRole]).toEqual(['flat', undefined, undefined])
    expect(body.groups).toEqual([])
    expect((await lea.get(`/scores/${score.id}`)).body.privacy).toBe('private')
    expect((await people.tess.get(`/scores/${score.id}`)).status).toBe(404)
    expect((await lea.get('/classes')).status).toBe(403)
    expect((await people.theo.get(`/classes/${schoolClass.id}`)).body.owner).toBe(people.theo.id)
  })

  it('hides what was not public from users outside, and ends the sharing in the organization', async () => {
    const pia = await app.person('petra', {
      organization: people.id,
      firstname: 'Petra',
      lastname: 'Petersen',
    })
    await app.ctx.transaction((tx) => updateUser(tx, pia.id, { bio: 'In the choir of the school' }))
    const image = (await pngOf(30, 30)).toString('base64')
    await internalClient(await signedIn(app, pia)).put('/profile/pictures/picture', { image })
    const linked = (await pia.post('/scores', { ...emptyPiano(), privacy: 'privateLink' })).body
    const opened = `/scores/${linked.id}?sharingKey=${linked.sharingKey}`
    const ownScore = (await pia.post('/scores', emptyPiano())).body.id
    const sharedScore = (await people.tess.post('/scores', emptyPiano())).body.id
    await pia.post(`/scores/${ownScore}/collaborators`, { user: people.sol.id })
    await people.tess.post(`/scores/${sharedScore}/collaborators`, { user: pia.id })
    expect((await people.otto.get(opened)).status).toBe(404)
    expect((await remove(pia, people.ada, '?convertToIndividual=true')).status).toBe(204)
    expect((await people.otto.get(opened)).status).toBe(404)
    expect((await people.sol.get(`/scores/${ownScore}`)).status).toBe(404)
    expect((await pia.get(`/scores/${sharedScore}`)).status).toBe(404)
    expect(withoutOwner((await pia.get(`/scores/${ownScore}/collaborators`)).body)).toEqual([])
    expect(withoutOwner((await people.tess.get(`/scores/${sharedScore}/collaborators`)).body)).toEqual([])
    const { body } = await people.otto.get(`/users/${pia.id}`)
    expect(body).toMatchObject({ username: 'petra', printableName: 'petra', picture: null })
    expect(body.bio).toBeUndefined()
    expect(await wrongCounts(app)).toEqual([])
  })

  it('gives a converted member another username if the username is an address that the account loses', async () => {
    await app.person('max')
    const address = { username: 'Max@a.example', email: 'max@a.example', password: 'correct horse' }
    const { body: max } = await people.ada.post(path, address)
    const response = await people.ada.delete(`${path}/${max.id}?convertToIndividual=true`)
    expect([response.status, response.body]).toEqual([204, undefined])
    expect((await people.otto.get(`/users/${max.id}`)).body.username).toBe('Max2')
    expect(await auditOf(app, max.id)).toContainEqual({
      organization: people.id,
      actor: people.ada.id,
      action: 'user.converted-to-individual',
      details: { fields: ['username'] },
    })
    const { body: member } = await people.ada.post(path, {
      ...address,
      username: 'o@a.example',
      email: 'o@a.example',
    })
    await app.ctx.transaction((tx) => updateUser(tx, member.id, { email_verified: 1 }))
    await people.ada.delete(`${path}/${member.id}?convertToIndividual=true`)
    expect((await people.otto.get(`/users/${member.id}`)).body.username).toBe('o@a.example')
  })

  it('leaves copies of attached scores to the classes, and the scores to the converted member', async () => {
    const { tess, sam } = people
    const lou = await member('louise', 'teacher')
    const schoolClass = await newClass(app, people.id, { teachers: [tess, lou], students: [sam] })
    const score = async (title: string): Promise<string> =>
      (await lou.post('/scores', emptyPiano(title))).body.id
    const [own, shown] = [await score('Own'), await score('Shown')]
    const assignment = await newAssignment(lou, schoolClass, {
      attachments: [{ score: own, sharingMode: 'write' }],
    })
    await lou.post(`/scores/${shown}/collaborators`, { user: tess.id })
    const other = await newAssignment(tess, schoolClass, {
      attachments: [{ score: shown }, { url: 'https://example.com/' }],
    })
    for (const id of [own, shown]) expect((await sam.get(`/scores/${id}`)).status).toBe(200)

    expect((await remove(lou, people.ada, '?convertToIndividual=true')).status).toBe(204)
    const at = (id: string) => `/classes/${schoolClass.id}/assignments/${id}`
    const after = (await sam.get(at(assignment.id))).body
    expect([after.creator, after.attachments.length]).toEqual([tess.id, 1])
    const [{ score: copy }] = after.attachments
    expect(copy).not.toBe(own)
    expect((await sam.get(`/scores/${copy}`)).body).toMatchObject({
      title: 'Own',
      user: { id: tess.id },
      rights: { aclWrite: true },
    })
    expect((await sam.get(at(other.id))).body.attachments).toMatchObject([{ url: 'https://example.com/' }])
    // A change of the assignment does not share the member's scores again.
    for (const { id } of [assignment, other])
      expect((await tess.put(at(id), { title: 'Changed' })).status).toBe(200)
    for (const id of [own, shown]) {
      for (const person of [sam, tess]) expect((await person.get(`/scores/${id}`)).status).toBe(404)
      expect((await lou.get(`/scores/${id}`)).body.user.id).toBe(lou.id)
    }
  })

  it('leaves no class without a teacher', async () => {
    const [lea, lou] = [await member('lea2', 'teacher'), await member('lou', 'teacher')]
    const schoolClass = await newClass(app, people.id, { teachers: [lea, lou] })
    expect((await lea.delete(`/classes/${schoolClass.id}/users/me`)).status).toBe(204)
    expect((await lou.get(`/classes/${schoolClass.id}`)).body.owner).toBe(lou.id)
    expect((await remove(lou, people.ada, '?convertToIndividual=true')).status).toBe(204)
    const { body } = await people.ada.get(`/classes/${schoolClass.id}`)
    expect([body.owner, body.teachersGroup.usersCount]).toEqual([people.ada.id, 1])
  })

  it('refuses a caller with a lower role than the member', async () => {
    const anna = await member('anna', 'accountAdmin')
    expect((await remove(anna)).body.code).toBe('ROLE_OUT_OF_REACH')
    for (const caller of [people.tess, people.sam, people.otto])
      expect((await remove(people.sol, caller)).status).toBe(403)
    for (const query of ['', '?convertToIndividual=true']) {
      const { status, body } = await remove(anna, anna, query)
      expect([status, body.code]).toEqual([409, 'LAST_ADMINISTRATOR'])
    }
  })

  it('keeps one of two administrators who remove each other simultaneously', async () => {
    const organization = await app.organization('Small school')
    const [ike, ivy] = await Promise.all([
      app.person('ike', { organization, role: 'admin' }),
      app.person('ivy', { organization, role: 'admin' }),
    ])
    await Promise.all([remove(ike, ivy), remove(ivy, ike)])
    const administrators = await app.ctx.db.read
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', organization)
      .where('deletion_at', 'is', null)
      .execute()
    expect(administrators).toHaveLength(1)
  })

  it('returns 404 for a user of another organization', async () => {
    for (const person of [people.abel, people.otto])
      expect((await remove(person)).body.code).toBe('USER_NOT_FOUND')
  })
})
