import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import type { Client } from '../../../../test/support/client.ts'
import { fileAt } from '../../../../test/support/http.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describeApp('exports with the default track', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  const newScore = async (fields = {}): Promise<string> =>
    (await tess.post('/scores', { data: musicXml(), ...fields })).body.id

  describe('the mp3 of the default track', () => {
    const recording = 'https://recordings.example/waltz.mp3'
    const mp3Of = (id: string, query: string, by: Client = tess) =>
      by.get(`/scores/${id}/revisions/last/mp3?${query}`, { redirect: 'manual' })

    it('is the audio file of the track', async () => {
      const id = await newScore()
      await newTrack(app, id, { url: recording, is_default: 1 })
      const { status, headers } = await mp3Of(id, 'defaultTrack=true')
      expect([status, headers.get('location')]).toEqual([302, recording])
      expect(headers.get('x-flat-score-revision')).toMatch(/^[0-9a-f]{24}$/)
      expect((await mp3Of(id, 'defaultTrack=true&url=true')).status).toBe(200)
      expect(JSON.parse(text((await mp3Of(id, 'defaultTrack=true&url=true')).bytes))).toEqual({
        url: recording,
      })
    })

    it('is the playback if the track is hidden from the caller or no audio file', async () => {
      const id = await newScore({ privacy: 'organizationPublic' })
      const playback = (await mp3Of(id, 'defaultTrack=false')).bytes
      await newTrack(app, id, { url: recording, is_default: 1, state: 'draft' })
      expect((await mp3Of(id, 'defaultTrack=true', people.sam)).bytes).toEqual(playback)
      await newTrack(app, id, { type: 'youtube', url: 'https://youtu.be/aaaaaaaaaaa', is_default: 1 })
      expect((await mp3Of(id, 'defaultTrack=true')).bytes).toEqual(playback)
    })
  })

  describe('synchronization points of the default track', () => {
    const points = JSON.stringify([{ type: 'end', time: 42 }])
    const pointsPath = 'synchronizationPoints?defaultTrack=true'
    const pointsOf = async (id: string, query = pointsPath, by: Client = tess) =>
      text((await by.get(`/scores/${id}/revisions/last/${query}`)).bytes)

    it('replace those of the playback with defaultTrack', async () => {
      const id = await newScore()
      await newTrack(app, id, { points: JSON.stringify([{ type: 'end', time: 1 }]) })
      const ofPlayback = await pointsOf(id, 'synchronizationPoints')
      expect(await pointsOf(id)).toBe(ofPlayback)
      await newTrack(app, id, { points, is_default: 1 })
      expect(await pointsOf(id)).toBe(points)
      expect(await pointsOf(id, 'synchronizationPoints')).toBe(ofPlayback)
      expect(await pointsOf(id, 'synchronizationPoints?defaultTrack=false')).toBe(ofPlayback)
      expect(await pointsOf(id, 'xml?defaultTrack=true')).toBe(await pointsOf(id, 'xml'))
    })

    it('fall back to those of the playback if the track has none', async () => {
      const id = await newScore()
      await newTrack(app, id, { is_default: 1 })
      expect(await pointsOf(id)).toBe(await pointsOf(id, 'synchronizationPoints'))
    })

    it('are visible only to callers who can see the track', async () => {
      const id = await newScore({ privacy: 'organizationPublic' })
      await newTrack(app, id, { points, is_default: 1, state: 'draft' })
      expect(await pointsOf(id, pointsPath, people.sam)).toBe(await pointsOf(id, 'synchronizationPoints'))
      expect(await pointsOf(id)).toBe(points)
    })

    it('are available by a URL, which changes when they change', async () => {
      const id = await newScore()
      const track = await newTrack(app, id, { points, is_default: 1 })
      const addressOf = async () => JSON.parse(await pointsOf(id, `${pointsPath}&url=true`)).url
      expect(text(await fileAt(await addressOf()))).toBe(points)
      const changed = [{ type: 'end', time: 43 }]
      await tess.put(`/scores/${id}/tracks/${track}`, { synchronizationPoints: changed })
      expect(text(await fileAt(await addressOf()))).toBe(JSON.stringify(changed))
    })
  })
})
