import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('renewSharingKey', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const newScore = async (privacy: string): Promise<{ id: string; sharingKey: string }> =>
    (await people.tess.post('/scores', { ...emptyPiano(), privacy })).body
  const opens = async (id: string, key: string) =>
    (await people.sam.get(`/scores/${id}?sharingKey=${key}`)).status

  it('replaces the key, and the old one opens nothing', async () => {
    const { id, sharingKey } = await newScore('privateLink')
    expect(await opens(id, sharingKey)).toBe(200)
    const { status, body } = await people.tess.post(`/scores/${id}/sharingKey`)
    expect([status, body.privacy]).toEqual([200, 'privateLink'])
    expect([await opens(id, sharingKey), await opens(id, body.sharingKey)]).toEqual([404, 200])
    expect((await people.tess.get(`/scores/${id}`)).body).toEqual(body)
  })

  it('is also done by a change of the privacy to privateLink, unless a key is given', async () => {
    const { id, sharingKey } = await newScore('privateLink')
    const share = (body: object) => people.tess.put(`/scores/${id}`, body)
    await share({ privacy: 'private' })
    const again = (await share({ privacy: 'privateLink' })).body.sharingKey
    expect([await opens(id, sharingKey), await opens(id, again)]).toEqual([404, 200])
    expect((await share({ privacy: 'privateLink' })).body.sharingKey).toBe(again)
    await share({ privacy: 'private' })
    const chosen = 'ab'.repeat(64)
    expect((await share({ privacy: 'privateLink', sharingKey: chosen })).body.sharingKey).toBe(chosen)
  })

  it('is refused for a score in the trash, and to users who cannot administer the score', async () => {
    const { id, sharingKey } = await newScore('privateLink')
    expect((await people.sam.post(`/scores/${id}/sharingKey`)).body.code).toBe('SCORE_NOT_FOUND')
    await people.tess.post(`/scores/${id}/collaborators`, { user: people.theo.id, aclWrite: true })
    expect((await people.theo.post(`/scores/${id}/sharingKey`)).body.code).toBe('SCORE_ACCESS_DENIED')
    expect(await opens(id, sharingKey)).toBe(200)
    await people.tess.delete(`/scores/${id}`)
    expect((await people.tess.post(`/scores/${id}/sharingKey`)).body.code).toBe('SCORE_TRASHED')
  })
})
