import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, newGroup, withoutOwner } from '../../../../test/support/sharing.ts'

describeApp('removeScoreCollaborator', (app) => {
  let school: School
  let tess: Person
  let theo: Person
  let sam: Person

  beforeAll(async () => {
    school = await makeSchool(app)
    ;({ tess, theo, sam } = school)
  })

  const newScore = async (privacy = 'private'): Promise<string> =>
    (await tess.post('/scores', { ...emptyPiano(), privacy })).body.id
  const remove = async (by: Person, score: string, collaborator: string) => {
    const { status, body } = await by.delete(`/scores/${score}/collaborators/${collaborator}`)
    return body === undefined ? status : [status, body.code]
  }

  it('removes a grant by its id, by its user or by its group', async () => {
    const id = await newScore()
    const choir = await newGroup(app, school.id, 'Choir', school.sol)
    const theos = await give(app, { on: 'score', id }, { user: theo.id }, 'read')
    await give(app, { on: 'score', id }, { user: sam.id }, 'read')
    await give(app, { on: 'score', id }, { group: choir }, 'read')
    for (const [person, collaborator] of [
      [theo, theos],
      [sam, sam.id],
      [school.sol, choir],
    ] as const) {
      expect((await person.get(`/scores/${id}`)).status).toBe(200)
      expect(await remove(tess, id, collaborator)).toBe(204)
      expect((await person.get(`/scores/${id}`)).status).toBe(404)
    }
    expect(withoutOwner((await tess.get(`/scores/${id}`)).body.collaborators)).toEqual([])
    expect(await remove(tess, id, theos)).toEqual([404, 'COLLABORATOR_NOT_FOUND'])
  })

  it('withdraws a pending invitation', async () => {
    const id = await newScore()
    const { body } = await tess.post(`/scores/${id}/collaborators`, { userEmail: 'late@school.example' })
    expect(await remove(tess, id, body.id)).toBe(204)
    const late = await app.person('late', { organization: school.id, email: 'late@school.example' })
    expect((await late.get(`/scores/${id}`)).status).toBe(404)
  })

  it('allows administrators, and collaborators who remove themselves', async () => {
    const id = await newScore('organizationPublic')
    await give(app, { on: 'score', id }, { user: theo.id }, 'admin')
    await give(app, { on: 'score', id }, { user: sam.id }, 'write')
    await give(app, { on: 'score', id }, { user: school.tara.id }, 'read')
    expect(await remove(sam, id, school.tara.id)).toEqual([403, 'SCORE_ACCESS_DENIED'])
    expect(await remove(school.sol, id, school.tara.id)).toEqual([403, 'SCORE_ACCESS_DENIED'])
    expect(await remove(school.otto, id, school.tara.id)).toEqual([404, 'SCORE_NOT_FOUND'])
    expect(await remove(theo, id, school.tara.id)).toBe(204)
    expect(await remove(sam, id, 'me')).toBe(204)
    expect(await remove(theo, id, theo.id)).toBe(204)
    expect(withoutOwner((await tess.get(`/scores/${id}`)).body.collaborators)).toEqual([])
  })

  it('refuses a group member who tries to remove the group', async () => {
    const id = await newScore()
    const choir = await newGroup(app, school.id, 'Choir', sam)
    await give(app, { on: 'score', id }, { group: choir }, 'write')
    expect(await remove(sam, id, choir)).toEqual([403, 'SCORE_ACCESS_DENIED'])
    expect(await remove(sam, id, 'me')).toEqual([404, 'COLLABORATOR_NOT_FOUND'])
  })

  it('refuses to remove the owner', async () => {
    const id = await newScore()
    await give(app, { on: 'score', id }, { user: theo.id }, 'admin')
    expect(await remove(theo, id, tess.id)).toEqual([403, 'OWNER_KEEPS_RIGHTS'])
    expect(await remove(tess, id, 'me')).toEqual([403, 'OWNER_KEEPS_RIGHTS'])
    expect((await tess.get(`/scores/${id}`)).body.rights.aclAdmin).toBe(true)
  })

  it('accepts the empty form body that the official client sends', async () => {
    const id = await newScore()
    await give(app, { on: 'score', id }, { user: theo.id }, 'read')
    const { status } = await tess.delete(`/scores/${id}/collaborators/${theo.id}?eventProperties=x`, {
      body: '',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(204)
  })
})
