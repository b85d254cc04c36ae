import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

// The visibility rules are tested in listScoreTracks.test.ts, which also requests each track by its id.
describeApp('getScoreTrack', (app) => {
  let people: School
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    score = (await people.tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  })

  it('returns the track to readers of the score', async () => {
    const track = await newTrack(app, score, { title: 'Waltz' })
    const { status, body } = await people.sam.get(`/scores/${score}/tracks/${track}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: track,
      score,
      creator: people.tess.id,
      title: 'Waltz',
      state: 'completed',
    })
    const unseen = await people.otto.get(`/scores/${score}/tracks/${track}`)
    expect([unseen.status, unseen.body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
  })

  it.each(['0123456789abcdef01234567', 'last'])('returns 404 for the id %s', async (id) => {
    const { status, body } = await people.tess.get(`/scores/${score}/tracks/${id}`)
    expect([status, body.code]).toEqual([404, 'TRACK_NOT_FOUND'])
  })

  it('returns 404 for a track of another score', async () => {
    const other = (await people.tess.post('/scores', emptyPiano())).body.id
    const { status, body } = await people.tess.get(`/scores/${score}/tracks/${await newTrack(app, other)}`)
    expect([status, body.code]).toEqual([404, 'TRACK_NOT_FOUND'])
  })

  it('returns 404 after the score was deleted', async () => {
    const other = (await people.tess.post('/scores', emptyPiano())).body.id
    await newTrack(app, other)
    await people.tess.delete(`/scores/${other}?now=true`)
    await app.jobsDone()
    const rows = await app.ctx.db.read
      .selectFrom('score_tracks')
      .select('id')
      .where('score_id', '=', other)
      .execute()
    expect(rows).toEqual([])
  })
})
