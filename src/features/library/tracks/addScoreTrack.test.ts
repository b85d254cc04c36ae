import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { newTrack } from '../../../../test/support/tracks.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

const url = 'https://example.com/waltz.mp3'
const scale = ['C4 D4 E4 F4', 'G4 A4 B4 C5', 'C5 B4 A4 G4']

describeEachDatabase('addScoreTrack', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string
  let measures: string[]

  const newScore = async (fields = {}): Promise<string> =>
    (await people.tess.post('/scores', { data: musicXml({ measures: scale }), ...fields })).body.id
  const add = (body: unknown, by = people.tess, on = score) => by.post(`/scores/${on}/tracks`, body)
  const addedTrack = async (body: object) => (await add({ url, ...body })).body.track
  const document = async (on: string) =>
    (await people.tess.get(`/scores/${on}/revisions/last/json`)).body['score-partwise']
  const measuresOf = async (on: string): Promise<string[]> =>
    (await document(on)).part[0].measure.map(({ $uuid }: { $uuid: string }) => $uuid)

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore({ privacy: 'organizationPublic' })
    measures = await measuresOf(score)
  })

  it('returns the track, by default a common draft', async () => {
    const { status, body } = await add({ url: 'https://youtu.be/dQw4w9WgXcQ' })
    expect(status).toBe(200)
    const date = new Date(clock.now()).toISOString()
    expect(body).toEqual({
      track: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        score,
        creator: people.tess.id,
        creationDate: date,
        modificationDate: date,
        default: false,
        state: 'draft',
        type: 'youtube',
        purpose: 'common',
        url: 'https://youtu.be/dQw4w9WgXcQ',
        mediaId: 'dQw4w9WgXcQ',
        synchronizationPoints: [],
      },
    })
    expect((await people.tess.get(`/scores/${score}/tracks/${body.track.id}`)).body).toEqual(body.track)
  })

  it('stores the given fields', async () => {
    const fields = { title: 'Waltz', default: true, state: 'completed', purpose: 'common' }
    expect(await addedTrack(fields)).toMatchObject({ ...fields, type: 'audio', url })
  })

  it.each<[string, unknown]>([
    ['url', {}],
    ['url', { url: '' }],
    ['url', { url: 'waltz.mp3' }],
    ['url', { url: 'ftp://example.com/waltz.mp3' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 5 }],
    ['url', { url: `https://example.com/${'x'.repeat(10_000)}` }],
    ['title', { url, title: 'x'.repeat(1001) }],
    ['title', { url, title: null }],
    ['default', { url, default: 'true' }],
    ['state', { url, state: 'done' }],
    ['purpose', { url, purpose: 'lesson' }],
    ['synchronizationPoints', { url, synchronizationPoints: {} }],
    ['synchronizationPoints', { url, synchronizationPoints: Array(5001).fill({ type: 'end', time: 0 }) }],
  ])('names the invalid field %s', async (param, sent) => {
    const { status, body } = await add(sent)
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  describe('synchronization points', () => {
    const point = (measure: number, time: number) => ({
      type: 'measure',
      measureUuid: measures[measure],
      time,
    })

    it('are stored as given; a measure may occur several times', async () => {
      const points = [point(0, 0), point(1, 2.5), point(0, 4), point(2, 6.125), { type: 'end', time: 8 }]
      expect((await addedTrack({ synchronizationPoints: points })).synchronizationPoints).toEqual(points)
    })

    it('can be those of an export of the score', async () => {
      const points = (await people.tess.get(`/scores/${score}/revisions/last/synchronizationPoints`)).body
      expect(points).toHaveLength(4)
      expect((await addedTrack({ synchronizationPoints: points })).synchronizationPoints).toEqual(points)
    })

    it('need no measure for the end', async () => {
      const end = { type: 'end', time: 8 }
      const { synchronizationPoints } = await addedTrack({
        synchronizationPoints: [{ ...end, measureUuid: measures[0] }],
      })
      expect(synchronizationPoints).toEqual([end])
    })

    const unknown = '00000000-0000-4000-8000-000000000000'
    it.each<[string, () => unknown[]]>([
      ['0.time', () => [point(0, -1)]],
      ['0.time', () => [{ ...point(0, 0), time: '0' }]],
      ['1.time', () => [point(0, 0), { type: 'end' }]],
      ['2.time', () => [point(0, 0), point(1, 2), point(2, 2)]],
      ['2.time', () => [point(0, 0), point(1, 2), { type: 'end', time: 1 }]],
      ['1.type', () => [point(0, 0), { type: 'end', time: 1 }, point(1, 2)]],
      ['0.type', () => [{ ...point(0, 0), type: 'beat' }]],
      ['0.measureUuid', () => [{ type: 'measure', time: 0 }]],
      ['0.measureUuid', () => [{ type: 'measure', measureUuid: 'm1', time: 0 }]],
      [
        '3.measureUuid',
        () => [...[0, 1, 2].map((n) => point(n, n)), { ...point(0, 3), measureUuid: unknown }],
      ],
    ])('are refused with the name of the invalid field %s', async (param, points) => {
      const { status, body } = await add({ url, synchronizationPoints: points() })
      expect([status, body.code, body.param]).toEqual([
        400,
        'INVALID_PARAMETER',
        `synchronizationPoints.${param}`,
      ])
    })

    it('refuse the uuid of a part', async () => {
      const [{ $uuid: measureUuid }] = (await document(score)).part
      const { status, body } = await add({
        url,
        synchronizationPoints: [{ type: 'measure', measureUuid, time: 0 }],
      })
      expect([status, body.param]).toEqual([400, 'synchronizationPoints.0.measureUuid'])
    })

    it('refuse a measure that only an earlier revision has', async () => {
      const on = await newScore()
      const [first, , last] = await measuresOf(on)
      await people.tess.post(`/scores/${on}/revisions`, { data: musicXml({ measures: scale.slice(0, 1) }) })
      const at = (measureUuid: string | undefined) => [{ type: 'measure', measureUuid, time: 0 }]
      expect((await add({ url, synchronizationPoints: at(first) }, people.tess, on)).status).toBe(200)
      const { status, body } = await add({ url, synchronizationPoints: at(last) }, people.tess, on)
      expect([status, body.param]).toEqual([400, 'synchronizationPoints.0.measureUuid'])
    })

    it('are checked against a document that is read in chunks', async () => {
      const on = await newScore({ data: musicXml({ measures: Array(4000).fill(scale[0]) }) })
      const json = (await people.tess.get(`/scores/${on}/revisions/last/json`)).bytes
      expect(json.length).toBeGreaterThan(1024 * 1024)
      const all = await measuresOf(on)
      const points = all.map((measureUuid, time) => ({ type: 'measure', measureUuid, time }))
      const { status, body } = await add({ url, synchronizationPoints: points }, people.tess, on)
      expect(status).toBe(200)
      expect(body.track.synchronizationPoints).toEqual(points)
    })
  })

  describe('default track', () => {
    it('replaces the previous one', async () => {
      const on = await newScore()
      const first = (await add({ url, default: true }, people.tess, on)).body.track
      const second = (await add({ url, default: true }, people.tess, on)).body.track
      const { body } = await people.tess.get(`/scores/${on}/tracks`)
      expect(
        body.map(({ id, default: isDefault }: { id: string; default: boolean }) => [id, isDefault]),
      ).toEqual([
        [second.id, true],
        [first.id, false],
      ])
    })

    it.each([{ purpose: 'performanceSubmission' }, { state: 'deleted' }])('refuses %o', async (fields) => {
      const { status, body } = await add({ url, default: true, ...fields })
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'default'])
    })

    it('is unique after simultaneous requests to two servers', async () => {
      await onTwoServers(databases, async ({ vera, atOther }) => {
        const path = `/scores/${(await vera.post('/scores', emptyPiano())).body.id}/tracks`
        for (let n = 0; n < 5; n++) {
          const sent = { url, default: true }
          const answers = await Promise.all(
            [vera, atOther, vera, atOther].map((client) => client.post(path, sent)),
          )
          expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
          const tracks: { default: boolean }[] = (await vera.get(path)).body
          expect(tracks.filter((track) => track.default)).toHaveLength(1)
        }
      })
    })
  })

  describe('by other users', () => {
    const performance = { url, purpose: 'performanceSubmission' }
    const answer = async (body: unknown, by: Person, on = score) => {
      const reply = await add(body, by, on)
      return [reply.status, reply.body.code]
    }

    it('requires write access for a common track', async () => {
      expect(await answer({ url }, people.sam)).toEqual([403, 'SCORE_ACCESS_DENIED'])
      expect(await answer({ url }, people.otto)).toEqual([404, 'SCORE_NOT_FOUND'])
    })

    it('requires an account with read access for a performance', async () => {
      const { status, body } = await add(performance, people.sam)
      expect(status).toBe(200)
      expect(body.track).toMatchObject({ purpose: 'performanceSubmission', creator: people.sam.id })
      expect(await answer(performance, people.otto)).toEqual([404, 'SCORE_NOT_FOUND'])
      expect((await app.anonymous.post(`/scores/${score}/tracks`, performance)).status).toBe(401)
    })

    it('accepts the sharing key', async () => {
      const { id, sharingKey } = (
        await people.tess.post('/scores', { ...emptyPiano(), privacy: 'privateLink' })
      ).body
      expect(await answer(performance, people.sam, id)).toEqual([404, 'SCORE_NOT_FOUND'])
      const { status } = await people.sam.post(`/scores/${id}/tracks?sharingKey=${sharingKey}`, performance)
      expect(status).toBe(200)
    })

    it('refuses the 51st track of one user on a score', async () => {
      const on = await newScore({ privacy: 'organizationPublic' })
      for (let n = 0; n < 50; n++) await newTrack(app, on, { creator_id: people.sam.id })
      expect(await answer(performance, people.sam, on)).toEqual([403, 'TOO_MANY_TRACKS'])
      expect(await answer(performance, people.sol, on)).toEqual([200, undefined])
    })
  })

  it('refuses a score that is in the trash', async () => {
    const on = await newScore()
    await people.tess.delete(`/scores/${on}`)
    const { status, body } = await add({ url }, people.tess, on)
    expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
  })
})
