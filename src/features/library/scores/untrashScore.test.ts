import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeApp('untrashScore', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  const trashedScore = async (fields = {}) => {
    const { id } = (await tess.post('/scores', { data: musicXml(), ...fields })).body
    await tess.delete(`/scores/${id}`)
    return id
  }

  it('restores the score and its place in its collections', async () => {
    const id = await trashedScore()
    expect((await tess.post(`/scores/${id}/untrash`)).status).toBe(204)
    const { body } = await tess.get(`/scores/${id}`)
    expect(body.scheduledDeletionDate).toBeUndefined()
    expect(body.collections).toEqual([(await tess.get('/collections/app')).body.id])
    const idsIn = async (collection: string) =>
      (await tess.get(`/collections/${collection}/scores`)).body.map((score: { id: string }) => score.id)
    expect(await idsIn('app')).toContain(id)
    expect(await idsIn('trash')).not.toContain(id)
  })

  it('makes the score visible again to the users who could see it', async () => {
    const id = await trashedScore({ privacy: 'organizationPublic' })
    await tess.post(`/scores/${id}/untrash`)
    expect((await people.sam.get(`/scores/${id}`)).status).toBe(200)
  })

  it('fails if the score is not in the trash', async () => {
    const id = await trashedScore()
    await tess.post(`/scores/${id}/untrash`)
    const { status, body } = await tess.post(`/scores/${id}/untrash`)
    expect([status, body.code]).toEqual([409, 'SCORE_NOT_TRASHED'])
  })

  it('succeeds for one of several simultaneous requests, and the score is in its collection once', async () => {
    const id = await trashedScore()
    const replies = await Promise.all(Array.from({ length: 4 }, () => tess.post(`/scores/${id}/untrash`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409])
    const { body } = await tess.get('/collections/app/scores?limit=100')
    expect(body.filter((score: { id: string }) => score.id === id)).toHaveLength(1)
  })

  it('requires an administrator of the score', async () => {
    const id = await trashedScore({ privacy: 'organizationPublic' })
    await give(app, { on: 'score', id }, { user: people.theo.id }, 'admin')
    expect((await people.theo.post(`/scores/${id}/untrash`)).status).toBe(204)
    expect((await people.sam.get(`/scores/${id}`)).status).toBe(200)
  })

  it('returns 404 for a score in the trash of another user', async () => {
    const id = await trashedScore({ privacy: 'organizationPublic' })
    await give(app, { on: 'score', id }, { user: people.sol.id }, 'write')
    for (const person of [people.sam, people.sol, people.ada, people.otto]) {
      const { status, body } = await person.post(`/scores/${id}/untrash`)
      expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    }
  })

  it('returns 403 to a user with read access', async () => {
    const { id } = (await tess.post('/scores', { data: musicXml(), privacy: 'organizationPublic' })).body
    expect((await people.sam.post(`/scores/${id}/untrash`)).status).toBe(403)
  })
})
