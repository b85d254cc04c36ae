import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('getGroupScores', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  async function newScore(title: string, ...groups: string[]): Promise<string> {
    const { id } = (await people.tess.post('/scores', { ...emptyPiano(), title, privacy: 'private' })).body
    for (const group of groups) await people.tess.post(`/scores/${id}/collaborators`, { group })
    return id
  }
  const titles = (scores: { title: string }[]) => scores.map(({ title }) => title)

  it('lists the scores shared with the group to its members, the last modified first', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violins', people.sam)
    const [first] = [await newScore('First', group), await newScore('Second', group), await newScore('Alone')]
    await people.tess.put(`/scores/${first}`, { title: 'First again' })
    for (const person of [people.sam, people.tess]) {
      const { status, body } = await person.get(`/groups/${group}/scores`)
      expect([status, titles(body)]).toEqual([200, ['First again', 'Second']])
    }
    expect((await people.sam.get(`/groups/${group}/scores`)).body[0].rights).toMatchObject({
      collaboratorType: 'group',
    })
  })

  it('omits scores that the caller cannot see and scores in the trash', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violas', people.sam)
    const trashed = await newScore('Trashed', group)
    await newScore('Private', group)
    await people.tess.delete(`/scores/${trashed}`)
    expect(titles((await people.sam.get(`/groups/${group}/scores`)).body)).toEqual(['Private'])
    expect((await people.ada.get(`/groups/${group}/scores`)).body).toEqual([])
  })

  it('lists only copies of the score that `parent` names', async () => {
    const original = await newScore('Original', schoolClass.studentsGroup)
    const copy = (await people.tess.post(`/scores/${original}/fork`, {})).body.id
    await people.tess.post(`/scores/${copy}/collaborators`, { group: schoolClass.studentsGroup })
    const { body } = await people.sam.get(`/groups/${schoolClass.studentsGroup}/scores?parent=${original}`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([copy])
    expect((await people.sam.get(`/groups/${schoolClass.studentsGroup}/scores?parent=${copy}`)).body).toEqual(
      [],
    )
  })

  it('allows members, teachers of the class and administrators', async () => {
    const get = async (person: School['tess'], group: string) =>
      (await person.get(`/groups/${group}/scores`)).body.code
    expect(await get(people.sam, schoolClass.teachersGroup)).toBe('GROUP_ACCESS_DENIED')
    const group = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
    for (const person of [people.sol, people.tara, people.abel, people.otto]) {
      expect(await get(person, group)).toBe('GROUP_NOT_FOUND')
    }
  })

  it('returns 404 for a group that the caller cannot see when a score is shared with it', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Tubas', people.sam)
    for (const person of [people.tara, people.sol]) {
      const { id } = (await person.post('/scores', { ...emptyPiano(), privacy: 'private' })).body
      const { status, body } = await person.post(`/scores/${id}/collaborators`, { group })
      expect([status, body.code, body.param]).toEqual([404, 'GROUP_NOT_FOUND', 'group'])
    }
  })
})
