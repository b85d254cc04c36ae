import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, type GrantLevel, newGroup, withoutOwner } from '../../../../test/support/sharing.ts'

describeApp('removeCollectionCollaborator', (app) => {
  let people: School
  let tess: Person
  let theo: Person
  let sam: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    ;({ tess, theo, sam } = people)
  })

  const remove = async (by: Person, collection: string, collaborator: string) => {
    const { status, body } = await by.delete(`/collections/${collection}/collaborators/${collaborator}`)
    return body === undefined ? status : [status, body.code]
  }
  const share = (id: string, person: Person, level: GrantLevel) =>
    give(app, { on: 'collection', id }, { user: person.id }, level)

  it('ends the collaborator’s access to the collection and to the scores that it shares', async () => {
    const id = await newCollection(app, tess, 'Concert')
    const score = (await tess.post('/scores', { ...emptyPiano(), collection: id })).body.id
    await share(id, theo, 'write')
    expect((await theo.get(`/scores/${score}`)).body.rights.aclWrite).toBe(true)
    expect(await remove(tess, id, theo.id)).toBe(204)
    for (const path of [`/collections/${id}`, `/collections/${id}/scores`, `/scores/${score}`]) {
      expect((await theo.get(path)).status).toBe(404)
    }
    expect(withoutOwner((await tess.get(`/collections/${id}`)).body.collaborators)).toEqual([])
    expect(await remove(tess, id, theo.id)).toEqual([404, 'COLLABORATOR_NOT_FOUND'])
  })

  it('removes a grant by its id, by its user or by its group', async () => {
    const id = await newCollection(app, tess, 'Ours')
    const theos = await share(id, theo, 'read')
    await share(id, sam, 'read')
    const choir = await newGroup(app, people.id, 'Choir', people.sol)
    await give(app, { on: 'collection', id }, { group: choir }, 'read')
    for (const one of [theos, sam.id, choir]) expect(await remove(tess, id, one)).toBe(204)
    for (const person of [theo, sam, people.sol])
      expect((await person.get(`/collections/${id}`)).status).toBe(404)
  })

  it('allows administrators, and collaborators who remove themselves', async () => {
    const id = await newCollection(app, tess, 'Ours')
    await share(id, theo, 'admin')
    await share(id, sam, 'write')
    await share(id, people.tara, 'read')
    expect(await remove(sam, id, people.tara.id)).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    expect(await remove(people.sol, id, people.tara.id)).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await remove(theo, id, people.tara.id)).toBe(204)
    expect(await remove(sam, id, 'me')).toBe(204)
    expect(await remove(theo, id, tess.id)).toEqual([403, 'OWNER_KEEPS_RIGHTS'])
  })

  it('keeps the scores that the collaborator added, which the collaborator can still take out', async () => {
    const id = await newCollection(app, tess, 'Ours')
    await share(id, theo, 'write')
    const score = (await theo.post('/scores', { ...emptyPiano(), collection: id })).body.id
    await remove(tess, id, theo.id)
    expect((await tess.get(`/scores/${score}`)).status).toBe(200)
    expect((await theo.delete(`/collections/${id}/scores/${score}`)).status).toBe(204)
    expect((await tess.get(`/scores/${score}`)).status).toBe(404)
  })

  it('refuses a collection in the trash', async () => {
    const id = await newCollection(app, tess, 'Gone')
    await share(id, theo, 'write')
    await tess.delete(`/collections/${id}`)
    expect(await remove(tess, id, theo.id)).toEqual([409, 'COLLECTION_TRASHED'])
  })

  it('accepts an empty form body', async () => {
    const id = await newCollection(app, tess, 'Form')
    await share(id, theo, 'read')
    const { status } = await tess.delete(`/collections/${id}/collaborators/${theo.id}`, {
      body: '',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(204)
  })
})
