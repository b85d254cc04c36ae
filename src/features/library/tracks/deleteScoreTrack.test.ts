import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

const denied = [403, 'TRACK_ACCESS_DENIED']
const deleted = [204, undefined]

describeApp('deleteScoreTrack', (app) => {
  let people: School
  let score: string

  const newScore = async (): Promise<string> =>
    (await people.tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  const remove = async (track: string, by: Person, on = score) => {
    const { status, body } = await by.delete(`/scores/${on}/tracks/${track}`)
    return [status, body?.code]
  }

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore()
  })

  it('removes the track from the score', async () => {
    const on = await newScore()
    const [other, track] = [await newTrack(app, on), await newTrack(app, on, { is_default: 1 })]
    expect(await remove(track, people.tess, on)).toEqual(deleted)
    expect(await remove(track, people.tess, on)).toEqual([404, 'TRACK_NOT_FOUND'])
    const { body } = await people.tess.get(`/scores/${on}/tracks`)
    expect(body).toMatchObject([{ id: other, default: false }])
  })

  it('requires write access for a common track', async () => {
    const track = await newTrack(app, score, { creator_id: people.sam.id })
    expect(await remove(track, people.sam)).toEqual(denied)
    expect(await remove(track, people.otto)).toEqual([404, 'SCORE_NOT_FOUND'])
    expect(await remove(track, people.tess)).toEqual(deleted)
  })

  it('allows the creator of a performance and administrators of the score', async () => {
    const columns = { purpose: 'performanceSubmission', creator_id: people.sam.id } as const
    const [one, other] = [await newTrack(app, score, columns), await newTrack(app, score, columns)]
    expect(await remove(one, people.sol)).toEqual([404, 'TRACK_NOT_FOUND'])
    expect(await remove(one, people.theo)).toEqual(denied)
    expect(await remove(one, people.sam)).toEqual(deleted)
    expect(await remove(other, people.tess)).toEqual(deleted)
  })

  it('succeeds for one of two simultaneous requests', async () => {
    const track = await newTrack(app, score)
    const answers = await Promise.all([remove(track, people.tess), remove(track, people.tess)])
    expect(answers.map(([status]) => status).sort()).toEqual([204, 404])
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    const track = await newTrack(app, on)
    await people.tess.delete(`/scores/${on}`)
    expect(await remove(track, people.tess, on)).toEqual([409, 'SCORE_TRASHED'])
  })
})
