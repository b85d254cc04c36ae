import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { codeOf, newRecording } from '../../../../test/support/recordings.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newTrack } from '../../../../test/support/tracks.ts'
import { minute } from '../../../lib/durations.ts'

describeEachDatabase('createScoreTrackLink', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('returns an address that plays without credentials, for 15 minutes and while the track exists', async () => {
    const una = await app.person('una')
    const score = (await una.post('/scores', emptyPiano())).body.id
    const track = await newRecording(app, score)
    const { body } = await una.post(`/scores/${score}/tracks/${track}/link`)
    expect(body).toEqual({
      url: expect.any(String),
      mediaType: 'audio/wav',
      expirationDate: new Date(clock.now() + 15 * minute).toISOString(),
    })
    const played = await fetch(body.url, { headers: { Range: 'bytes=0-3' } })
    expect([played.status, await played.text()]).toEqual([206, 'RIFF'])
    expect(played.headers.get('content-security-policy')).toContain('sandbox')
    expect(played.headers.get('content-disposition')).toBeNull()
    clock.forward(15 * minute)
    expect((await fetch(body.url)).status).toBe(404)
    const { url } = (await una.post(`/scores/${score}/tracks/${track}/link`)).body
    await una.delete(`/scores/${score}/tracks/${track}`)
    expect((await fetch(url)).status).toBe(404)
  })

  it('refuses a recording that is stored elsewhere', async () => {
    const otto = await app.person('otto')
    const score = (await otto.post('/scores', emptyPiano())).body.id
    const track = await newTrack(app, score)
    const expected = [404, 'TRACK_WITHOUT_FILE', undefined]
    expect(codeOf(await otto.post(`/scores/${score}/tracks/${track}/link`))).toEqual(expected)
    expect(codeOf(await otto.get(`/scores/${score}/tracks/${track}/file`))).toEqual(expected)
    const both = { url: 'https://media.example/waltz.mp3', upload: track }
    const refused = await otto.post(`/scores/${score}/tracks`, both)
    expect(codeOf(refused)).toEqual([400, 'INVALID_PARAMETER', 'url'])
  })
})
