import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'
import { newTrack } from '../../../../test/support/tracks.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

const performance = { purpose: 'performanceSubmission' } as const

describeEachDatabase('updateScoreTrack', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string

  const newScore = async (): Promise<string> =>
    (await people.tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  const change = (track: string, body: unknown, by = people.tess, on = score) =>
    by.put(`/scores/${on}/tracks/${track}`, body)
  const trackOf = async (track: string, on = score) =>
    (await people.tess.get(`/scores/${on}/tracks/${track}`)).body

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore()
  })

  it('changes only the given fields', async () => {
    const points = (await people.tess.get(`/scores/${score}/revisions/last/synchronizationPoints`)).body
    const track = await newTrack(app, score, {
      title: 'Waltz',
      state: 'draft',
      points: JSON.stringify(points),
    })
    const before = await trackOf(track)
    clock.forward(minute)
    const { status, body } = await change(track, { state: 'completed' })
    expect(status).toBe(200)
    const modificationDate = new Date(clock.now()).toISOString()
    expect(body).toEqual({ ...before, state: 'completed', modificationDate })
    expect(await trackOf(track)).toEqual(body)
    const rest = { title: 'Slow waltz', default: true, synchronizationPoints: [{ type: 'end', time: 9 }] }
    expect((await change(track, rest)).body).toEqual({ ...body, ...rest })
  })

  it('does not change the URL', async () => {
    const track = await newTrack(app, score)
    const { status, body } = await change(track, { url: 'https://youtu.be/dQw4w9WgXcQ' })
    expect([status, body.type, body.url]).toEqual([200, 'audio', 'https://example.com/waltz.mp3'])
  })

  it.each<[string, unknown]>([
    ['title', { title: 'x'.repeat(1001) }],
    ['default', { default: 1 }],
    ['state', { state: null }],
    ['purpose', { purpose: 'lesson' }],
    ['synchronizationPoints.0.time', { synchronizationPoints: [{ type: 'end', time: -1 }] }],
    ['synchronizationPoints.0.measureUuid', { synchronizationPoints: [{ type: 'measure', time: 1 }] }],
  ])('names the invalid field %s', async (param, sent) => {
    const { status, body } = await change(await newTrack(app, score), sent)
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  it('restores a deleted track', async () => {
    const track = await newTrack(app, score)
    await change(track, { state: 'deleted' })
    expect((await people.sam.get(`/scores/${score}/tracks/${track}`)).status).toBe(404)
    expect((await change(track, { state: 'completed' })).status).toBe(200)
    expect((await people.sam.get(`/scores/${score}/tracks/${track}`)).status).toBe(200)
  })

  describe('default track', () => {
    const defaultsOf = async (on: string): Promise<string[]> => {
      const tracks: { id: string; default: boolean }[] = (await people.tess.get(`/scores/${on}/tracks`)).body
      return tracks.flatMap((track) => (track.default ? [track.id] : []))
    }

    it('replaces the previous one, and can be unset', async () => {
      const on = await newScore()
      const [first, second] = [await newTrack(app, on, { is_default: 1 }), await newTrack(app, on)]
      expect((await change(second, { default: true }, people.tess, on)).body.default).toBe(true)
      expect(await defaultsOf(on)).toEqual([second])
      await change(second, { title: 'Still' }, people.tess, on)
      await change(first, { default: false }, people.tess, on)
      expect(await defaultsOf(on)).toEqual([second])
      expect((await change(second, { default: false }, people.tess, on)).body.default).toBe(false)
      expect(await defaultsOf(on)).toEqual([])
    })

    it.each([performance, { state: 'deleted' }])(
      'is unset by %o, and a request to set it is then refused',
      async (fields) => {
        const on = await newScore()
        const track = await newTrack(app, on, { is_default: 1 })
        const { status, body } = await change(track, { ...fields, default: true }, people.tess, on)
        expect([status, body.param]).toEqual([400, 'default'])
        expect((await change(track, fields, people.tess, on)).body).toMatchObject({
          ...fields,
          default: false,
        })
      },
    )

    it('is unique after simultaneous requests to two servers', async () => {
      await onTwoServers(databases, async ({ app, vera, atOther }) => {
        const on = (await vera.post('/scores', emptyPiano())).body.id
        const path = `/scores/${on}/tracks`
        const [first, second] = [await newTrack(app, on), await newTrack(app, on)]
        for (let n = 0; n < 5; n++) {
          const answers = await Promise.all([
            vera.put(`${path}/${first}`, { default: true }),
            atOther.put(`${path}/${second}`, { default: true }),
          ])
          expect(answers.map(({ status, body }) => [status, body.default])).toEqual(
            Array(2).fill([200, true]),
          )
          const tracks: { default: boolean }[] = (await vera.get(path)).body
          expect(tracks.filter((track) => track.default)).toHaveLength(1)
        }
      })
    })
  })

  describe('by other users', () => {
    const answer = async (track: string, by: Person, body: unknown = { title: 'Changed' }) => {
      const reply = await change(track, body, by)
      return [reply.status, reply.body.code]
    }
    const denied = [403, 'TRACK_ACCESS_DENIED']
    const updated = [200, undefined]

    it('requires write access for a common track, regardless of its creator', async () => {
      const track = await newTrack(app, score, { creator_id: people.sam.id })
      expect(await answer(track, people.sam)).toEqual(denied)
      await give(app, { on: 'score', id: score }, { user: people.sol.id }, 'write')
      expect(await answer(track, people.sol)).toEqual(updated)
    })

    it('allows only the creator of a performance', async () => {
      const track = await newTrack(app, score, { ...performance, creator_id: people.sam.id })
      expect(await answer(track, people.sam)).toEqual(updated)
      expect(await answer(track, people.tess)).toEqual(denied)
      expect(await answer(track, people.ada)).toEqual(denied)
      expect(await answer(track, people.sol)).toEqual([404, 'TRACK_NOT_FOUND'])
      expect(await answer(track, people.otto)).toEqual([404, 'SCORE_NOT_FOUND'])
    })

    it('requires the rights for both purposes to change the purpose', async () => {
      const played = await newTrack(app, score, { ...performance, creator_id: people.sam.id })
      expect(await answer(played, people.sam, { purpose: 'common' })).toEqual(denied)
      const common = await newTrack(app, score, { creator_id: people.sam.id })
      expect(await answer(common, people.tess, performance)).toEqual(denied)
      await give(app, { on: 'score', id: score }, { user: people.sam.id }, 'write')
      expect(await answer(played, people.sam, { purpose: 'common' })).toEqual(updated)
      expect(await answer(common, people.sam, performance)).toEqual(updated)
    })
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    const track = await newTrack(app, on)
    await people.tess.delete(`/scores/${on}`)
    const { status, body } = await change(track, { title: 'Changed' }, people.tess, on)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })
})
