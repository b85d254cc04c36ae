import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { codeOf, newRecording, newUpload, noise, wavOf } from '../../../../test/support/recordings.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { wrongCounts } from '../../../../test/support/stored-bytes.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('getScoreTrackFile', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    score = (await people.tess.post('/scores', emptyPiano('Étude'))).body.id
  })

  it('sends ranges, also across parts', async () => {
    const { tess } = people
    const bytes = noise(150_000)
    const { id: upload } = (await tess.post('/recordingUploads', { size: bytes.length })).body
    await tess.put(`/recordingUploads/${upload}/parts/0`, bytes.subarray(0, 70_000))
    await tess.put(`/recordingUploads/${upload}/parts/70000`, bytes.subarray(70_000))
    const { id } = (await tess.post(`/scores/${score}/tracks`, { upload })).body.track
    const file = `/scores/${score}/tracks/${id}/file`
    const part = async (asked: string, headers: Record<string, string> = {}) => {
      const reply = await tess.get(file, { headers: { Range: asked, ...headers } })
      return { ...reply, range: reply.headers.get('content-range') }
    }
    const across = await part('bytes=69997-70004')
    expect([across.status, across.range]).toEqual([206, 'bytes 69997-70004/150000'])
    expect(bytes.subarray(69_997, 70_005).equals(across.bytes)).toBe(true)
    expect(bytes.subarray(-7).equals((await part('bytes=-7')).bytes)).toBe(true)
    expect(bytes.subarray(149_000).equals((await part('bytes=149000-999999')).bytes)).toBe(true)
    const beyond = await part('bytes=150000-')
    expect([...codeOf(beyond), beyond.range]).toEqual([
      416,
      'RANGE_NOT_SATISFIABLE',
      undefined,
      'bytes */150000',
    ])
    const tag = across.headers.get('etag') ?? ''
    expect((await part('bytes=0-9', { 'If-Range': tag })).status).toBe(206)
    for (const [asked, headers] of [
      ['bytes=0-9', { 'If-Range': '"other"' }],
      ['bytes=0-1,4-5', {}],
      ['bytes=9-1', {}],
    ] as const) {
      const whole = await part(asked, headers)
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav'])
      expect(bytes.equals(whole.bytes)).toBe(true)
    }
    expect((await tess.get(file, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    const head = await tess.request('HEAD', file)
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '150000', 0])
  })

  it('is for the teacher of a performance, and for no other student', async () => {
    const { id: organization, tess, sam, sol } = people
    const schoolClass = await newClass(app, organization, { teachers: [tess], students: [sam, sol] })
    const assignment = await newAssignment(tess, schoolClass, {
      type: 'performance',
      attachments: [{ score, sharingMode: 'performance' }],
    })
    const track = { upload: await newUpload(sam), purpose: 'performanceSubmission', state: 'completed' }
    const { id } = (await sam.post(`/scores/${score}/tracks`, track)).body.track
    const { attachments } = await newSubmission(sam, schoolClass, assignment, { submit: true })
    expect(attachments).toMatchObject([{ track: id, score }])
    const file = `/scores/${score}/tracks/${id}/file`
    const statuses = [tess, sam, sol, clientOf(app.url)].map(async (by) => (await by.get(file)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404])
  })

  it('of the default track is copied with the score, and plays instead of the MP3', async () => {
    const { theo } = people
    const own = (await theo.post('/scores', emptyPiano('Own'))).body.id
    const bytes = wavOf({ hertz: 330 })
    await newRecording(app, own, { is_default: 1 }, bytes)
    const copy = (await theo.post(`/scores/${own}/fork`, { collection: 'root' })).body.id
    await theo.delete(`/scores/${own}`)
    clock.forward(60 * day)
    await app.jobsDone()
    const [track] = (await theo.get(`/scores/${copy}/tracks`)).body
    const { bytes: copied } = await theo.get(`/scores/${copy}/tracks/${track.id}/file`)
    expect(bytes.equals(copied)).toBe(true)
    const mp3 = `/scores/${copy}/revisions/last/mp3?defaultTrack=true`
    const { status, headers } = await theo.get(mp3, { redirect: 'manual' })
    expect(status).toBe(302)
    const played = await fetch(headers.get('location') ?? '')
    expect(bytes.equals(Buffer.from(await played.arrayBuffer()))).toBe(true)
    expect(await wrongCounts(app)).toEqual([])
  })
})
