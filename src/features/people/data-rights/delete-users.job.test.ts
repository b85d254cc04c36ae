import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { passDays, testClock } from '../../../../test/support/clock.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { newComment } from '../../../../test/support/comments.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { withoutOwner } from '../../../../test/support/sharing.ts'
import { updateOrganization } from '../organizations/store.ts'
import { updateRemoval } from '../users/store.ts'

describeEachDatabase('delete-users', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const member = (username: string, role: 'user' | 'teacher' | 'admin' = 'user') =>
    app.person(username, { organization: people.id, role })
  const remove = async ({ id }: Person, by = people.ada) => {
    expect((await by.delete(`/organizations/users/${id}`)).status).toBe(204)
  }
  const newScore = async (person: Person): Promise<string> =>
    (await person.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  const rowOf = (id: string) =>
    app.ctx.db.read.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  const pass = (days: number) => passDays(app, clock, days)

  it('deletes an account after its retention period, and not before', async () => {
    await app.ctx.transaction((tx) => updateOrganization(tx, people.id, { retention_days: 10 }))
    const pia = await member('pia')
    await remove(pia)
    await pass(8)
    expect(await rowOf(pia.id)).toBeDefined()
    await pass(2)
    expect(await rowOf(pia.id)).toBeUndefined()
    // The audit log keeps its events.
    const actions = (await auditOf(app, pia.id)).map(({ action }) => action)
    expect(actions).toEqual(['user.removed', 'user.deleted'])
  })

  it('transfers assignments and attached scores to the owner of the class', async () => {
    const uri = await member('uri', 'teacher')
    const sia = await member('sia')
    const schoolClass = await newClass(app, people.id, { teachers: [uri, people.theo], students: [sia] })
    const [attached, other] = [await newScore(uri), await newScore(uri)]
    const { id } = await newAssignment(uri, schoolClass, { attachments: [{ score: attached }] })
    await remove(uri)
    await pass(31)
    expect(await rowOf(uri.id)).toBeUndefined()
    const { body } = await people.theo.get(`/classes/${schoolClass.id}/assignments/${id}`)
    expect(body).toMatchObject({ creator: people.theo.id, attachments: [{ score: attached }] })
    expect((await people.theo.get(`/scores/${attached}`)).body.rights.aclAdmin).toBe(true)
    expect((await sia.get(`/scores/${attached}`)).status).toBe(200)
    expect((await people.theo.get(`/scores/${other}`)).status).toBe(404)
  })

  it('deletes the data of the account, and its traces in the data of other users', async () => {
    const leo = await member('leo')
    const remainingScore = await newScore(people.tess)
    const ownScores: string[] = []
    for (let i = 0; i < 21; i++) ownScores.push(await newScore(leo))
    await newCollection(app, leo, 'Mine')
    await leo.put(`/scores/${remainingScore}/like`)
    await leo.post(`/scores/${remainingScore}/comments`, { comment: 'Hello' })
    await newComment(app, remainingScore)
    await people.tess.post(`/scores/${remainingScore}/collaborators`, { user: leo.id })
    await leo.post(`/scores/${ownScores[0]}/revisions/last/wav/task`)
    await newClass(app, people.id, { teachers: [people.tess], students: [leo] })
    const before = (await people.tess.get(`/scores/${remainingScore}`)).body
    expect([before.likes.total, before.comments.total]).toEqual([1, 2])

    await remove(leo)
    await pass(11)
    expect(await rowOf(leo.id)).toBeUndefined()
    const { likes, comments, collaborators } = (await people.tess.get(`/scores/${remainingScore}`)).body
    expect([likes.total, comments.total, withoutOwner(collaborators)]).toEqual([0, 1, []])
    const remaining = await app.ctx.db.read
      .selectFrom('scores')
      .select('id')
      .where('id', 'in', ownScores)
      .execute()
    expect(remaining).toEqual([])
  })

  it('transfers each class to another teacher, or else to the administrator who removed the account', async () => {
    const una = await member('una', 'teacher')
    const shared = await newClass(app, people.id, { teachers: [una, people.theo] })
    const alone = await newClass(app, people.id, { teachers: [una] })
    await remove(una)
    await pass(11)
    expect((await people.theo.get(`/classes/${shared.id}`)).body.owner).toBe(people.theo.id)
    expect((await people.ada.get(`/classes/${alone.id}`)).body).toMatchObject({
      owner: people.ada.id,
      teachersGroup: { usersCount: 1 },
    })
  })

  it('transfers classes to another administrator if the one who removed the account was deleted', async () => {
    const [una, arno] = [await member('ute', 'teacher'), await member('arno', 'admin')]
    const alone = await newClass(app, people.id, { teachers: [una] })
    await remove(una, arno)
    await remove(arno)
    await pass(11)
    expect(await rowOf(arno.id)).toBeUndefined()
    expect((await people.ada.get(`/classes/${alone.id}`)).body.owner).toBe(people.ada.id)
  })

  it('does not delete a restored account', async () => {
    const ben = await member('ben')
    await remove(ben)
    await app.ctx.transaction((tx) => updateRemoval(tx, ben.id, { deletion_at: null, removed_by: null }))
    await pass(11)
    expect(await rowOf(ben.id)).toBeDefined()
  })
})
