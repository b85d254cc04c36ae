import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newFolder, newResource, newResourceWithScore } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('deleteEduResource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('deletes a folder with its contents and keeps the scores', async () => {
    const { tess } = people
    const folder = await newFolder(tess)
    const inner = await newFolder(tess, 'Inner', folder)
    const score = (await tess.post('/scores', emptyPiano())).body.id
    const { id } = await newResourceWithScore(tess, score, inner)
    const { assignment_id: assignment } = await app.ctx.db.read
      .selectFrom('edu_resources')
      .where('id', '=', id)
      .select('assignment_id')
      .executeTakeFirstOrThrow()
    expect((await tess.delete(`/eduResources/${folder}`)).status).toBe(204)
    for (const deleted of [folder, inner, id])
      expect((await tess.get(`/eduResources/${deleted}`)).status).toBe(404)
    const remaining = await app.ctx.db.read
      .selectFrom('assignments')
      .where('id', '=', assignment)
      .selectAll()
      .execute()
    expect(remaining).toEqual([])
    expect((await tess.get(`/scores/${score}`)).status).toBe(200)
  })

  it('refuses a folder with resources of other users, except for administrators', async () => {
    const { tess, theo, ada } = people
    const folder = await newFolder(tess, 'Shared', 'organization')
    const inner = await newFolder(tess, 'Inner', folder)
    const id = await newResource(theo, 'Of Theo', inner)
    const { status, body } = await tess.delete(`/eduResources/${folder}`)
    expect([status, body.code]).toEqual([409, 'RESOURCES_OF_OTHERS'])
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(200)
    expect((await tess.delete(`/eduResources/${id}`)).status).toBe(403)
    expect((await ada.delete(`/eduResources/${folder}`)).status).toBe(204)
    expect((await theo.get(`/eduResources/${id}`)).status).toBe(404)
  })

  it('deletes the own library with the account, and passes on resources in the organization’s library', async () => {
    const { ada, theo } = people
    const leaver = await app.person('gone', { organization: people.id, role: 'teacher' })
    const own = await newFolder(leaver)
    await newResource(leaver, 'Own', own)
    const score = (await leaver.post('/scores', emptyPiano())).body.id
    const { id: shared } = await newResourceWithScore(leaver, score, 'organization')
    expect((await ada.delete(`/organizations/users/${leaver.id}`)).status).toBe(204)
    await app.ctx.transaction(async (tx) => {
      await tx.updateTable('users').set({ deletion_at: 0 }).where('id', '=', leaver.id).execute()
      await app.ctx.jobs.enqueue(tx, { kind: 'delete-users', payload: {}, key: 'test', runAt: 0 })
    })
    await app.jobsDone()
    const rows = app.ctx.db.read
      .selectFrom('edu_resources')
      .where('id', 'in', [own, shared])
      .select(['id', 'creator_id'])
    expect(await rows.execute()).toEqual([{ id: shared, creator_id: ada.id }])
    const { body } = await theo.get(`/eduResources/${shared}`)
    expect(body.resource.attachments).toMatchObject([{ score }])
    expect((await ada.get(`/scores/${score}`)).body.rights.aclAdmin).toBe(true)
    expect((await theo.get(`/scores/${score}`)).status).toBe(200)
  })
})
