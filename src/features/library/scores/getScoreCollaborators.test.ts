import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeApp('getScoreCollaborators', (app) => {
  let school: School
  let tess: Person

  beforeAll(async () => {
    school = await makeSchool(app)
    tess = school.tess
  })

  const newScore = async (privacy = 'private', owner = tess): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), privacy })).body.id
  const listed = async (as: Pick<Person, 'get'>, score: string, query = '') => {
    const { body } = await as.get(`/scores/${score}/collaborators${query}`)
    return body.map((one: Record<string, { id: string }>) => one.user?.id ?? one.group?.id ?? one.userEmail)
  }

  it('lists the owner, with all rights, also of a score without grants', async () => {
    const id = await newScore()
    const { status, body } = await tess.get(`/scores/${id}/collaborators`)
    expect(status).toBe(200)
    const rights = { aclRead: true, aclWrite: true, aclAdmin: true, isCollaborator: true }
    expect(body).toMatchObject([{ ...rights, collaboratorType: 'owner', score: id, user: { id: tess.id } }])
    expect(body).toHaveLength(1)
  })

  it('lists the owner, then users, groups and invitations in the order in which they were added', async () => {
    const id = await newScore('organizationPublic')
    const choir = await newGroup(app, school.id, 'Choir', school.sol)
    for (const body of [
      { group: choir },
      { userEmail: 'new@school.example' },
      { user: school.theo.id, aclWrite: true },
    ]) {
      await tess.post(`/scores/${id}/collaborators`, body)
    }
    const all = [tess.id, choir, 'new@school.example', school.theo.id]
    for (const person of [tess, school.theo, school.sol]) expect(await listed(person, id)).toEqual(all)
    const [, , invited] = (await tess.get(`/scores/${id}/collaborators`)).body
    expect(invited).toMatchObject({ userEmail: 'new@school.example', invited: true, isCollaborator: false })
  })

  it('hides groups, addresses and invisible users from readers who are not collaborators', async () => {
    const id = await newScore('public', school.otto)
    const choir = await newGroup(app, school.id, 'Choir', school.sol)
    const olga = await app.person('olga')
    for (const holder of [
      { group: choir },
      { email: 'New@school.example', emailKey: 'new@school.example' },
      { user: school.theo.id },
      { user: olga.id },
    ]) {
      await give(app, { on: 'score', id }, holder, 'read')
    }
    expect(await listed(school.sam, id)).toEqual([school.otto.id, school.theo.id, olga.id])
    expect(await listed(school.abel, id)).toEqual([school.otto.id, olga.id])
    for (const person of [tess, school.abel]) {
      const { collaborators } = (await person.get(`/scores/${id}`)).body
      expect(collaborators).toEqual((await person.get(`/scores/${id}/collaborators`)).body)
    }
  })

  it('accepts the sharing key', async () => {
    const id = await newScore('privateLink')
    const { sharingKey } = (await tess.get(`/scores/${id}`)).body
    await give(app, { on: 'score', id }, { user: school.theo.id }, 'read')
    expect((await school.sam.get(`/scores/${id}/collaborators`)).status).toBe(404)
    expect(await listed(school.sam, id, `?sharingKey=${sharingKey}`)).toEqual([tess.id, school.theo.id])
  })
})
