import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeApp('getScoreCollaborator', (app) => {
  let school: School
  let tess: Person
  let id: string

  beforeAll(async () => {
    school = await makeSchool(app)
    tess = school.tess
    id = (await tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  })

  const find = async (as: Person, collaborator: string) => {
    const { status, body } = await as.get(`/scores/${id}/collaborators/${collaborator}`)
    return status === 200 ? body.id : body.code
  }

  it('finds a collaborator by the grant, the user or the group, and the caller as `me`', async () => {
    const theos = await give(app, { on: 'score', id }, { user: school.theo.id }, 'write')
    const choir = await newGroup(app, school.id, 'Choir', school.sol)
    const choirs = await give(app, { on: 'score', id }, { group: choir }, 'read')
    for (const collaborator of [theos, school.theo.id]) expect(await find(tess, collaborator)).toBe(theos)
    for (const collaborator of [choirs, choir]) expect(await find(tess, collaborator)).toBe(choirs)
    expect(await find(school.theo, 'me')).toBe(theos)
    const { body } = await tess.get(`/scores/${id}/collaborators/${choir}`)
    expect(body).toMatchObject({ score: id, aclRead: true, aclWrite: false, collaboratorType: 'group' })
  })

  it('returns 404 for users without a grant', async () => {
    for (const [as, collaborator] of [
      [tess, school.sam.id],
      [tess, 'nobody'],
      [school.sol, 'me'],
    ] as const) {
      expect(await find(as, collaborator)).toBe('COLLABORATOR_NOT_FOUND')
    }
  })

  it('returns the owner with all rights', async () => {
    for (const [as, collaborator] of [
      [tess, tess.id],
      [tess, 'me'],
      [school.sol, tess.id],
    ] as const) {
      const { body } = await as.get(`/scores/${id}/collaborators/${collaborator}`)
      expect(body).toMatchObject({
        score: id,
        user: { id: tess.id },
        collaboratorType: 'owner',
        aclAdmin: true,
      })
    }
  })

  it('returns 404 for a grant on another score', async () => {
    const other = (await tess.post('/scores', emptyPiano())).body.id
    const otherGrant = await give(app, { on: 'score', id: other }, { user: school.tara.id }, 'read')
    for (const collaborator of [otherGrant, school.tara.id]) {
      expect(await find(tess, collaborator)).toBe('COLLABORATOR_NOT_FOUND')
    }
  })

  it('hides groups and invitations from readers who are not collaborators', async () => {
    const group = await newGroup(app, school.id, 'Band')
    const grants = [
      await give(app, { on: 'score', id }, { group }, 'read'),
      await give(app, { on: 'score', id }, { email: 'a@b.example', emailKey: 'a@b.example' }, 'read'),
    ]
    for (const collaborator of [...grants, group]) {
      expect(await find(school.sam, collaborator)).toBe('COLLABORATOR_NOT_FOUND')
      expect(grants).toContain(await find(school.sol, collaborator))
    }
  })

  it('hides a collaborator whose profile the caller cannot see', async () => {
    const grant = await give(app, { on: 'score', id }, { user: school.abel.id }, 'read')
    for (const reader of [school.sam, school.sol]) {
      for (const collaborator of [grant, school.abel.id]) {
        expect(await find(reader, collaborator)).toBe('COLLABORATOR_NOT_FOUND')
      }
    }
  })
})
