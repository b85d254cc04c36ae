import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { codeOf, noise } from '../../../../test/support/recordings.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { blobFileNames, countedBytes, wrongCounts } from '../../../../test/support/stored-bytes.ts'
import { partBytes } from '../../../contract/recording-files.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('uploadRecordingPart', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let una: Person

  beforeAll(async () => {
    una = await app.person('una')
  })

  const send = (upload: string, start: number, bytes: Uint8Array) =>
    una.put(`/recordingUploads/${upload}/parts/${start}`, bytes)

  it('stores parts one after another, and goes on after an interruption', async () => {
    const { most } = partBytes
    const bytes = noise(2.5 * most)
    const parts = [bytes.subarray(0, most), bytes.subarray(most, 2 * most), bytes.subarray(2 * most)] as const
    const { id } = (await una.post('/recordingUploads', { size: bytes.length })).body
    expect((await send(id, 0, parts[0])).body).toMatchObject({ received: most, mediaType: 'audio/wav' })
    // The client has not received the answer.
    expect((await send(id, 0, parts[0])).body.received).toBe(most)
    expect(codeOf(await send(id, 2 * most, parts[2]))).toEqual([409, 'UPLOAD_OFFSET', 'start'])
    expect(codeOf(await send(id, 0, parts[1]))).toEqual([409, 'UPLOAD_OFFSET', 'start'])

    const score = (await una.post('/scores', emptyPiano('Étude'))).body.id
    const track = { upload: id, title: 'Take 1', purpose: 'performanceSubmission', state: 'completed' }
    const early = await una.post(`/scores/${score}/tracks`, track)
    expect(codeOf(early)).toEqual([409, 'UPLOAD_INCOMPLETE', 'upload'])
    await send(id, most, parts[1])
    expect((await send(id, 2 * most, parts[2])).body.received).toBe(bytes.length)

    const added = (await una.post(`/scores/${score}/tracks`, track)).body.track
    const file = `/scores/${score}/tracks/${added.id}/file`
    expect(added).toMatchObject({
      type: 'audio',
      url: `${app.ctx.config.publicUrl}/v2${file}`,
      file: { mediaType: 'audio/wav', size: bytes.length },
    })
    expect((await una.get(`/scores/${score}/tracks`)).body).toEqual([added])
    expect(bytes.equals((await una.get(file)).bytes)).toBe(true)
    // A track has it now.
    const again = await una.post(`/scores/${score}/tracks`, track)
    expect(codeOf(again)).toEqual([404, 'UPLOAD_NOT_FOUND', 'upload'])

    const others = (await blobFileNames(app)).length - 3
    await una.delete(`/scores/${score}/tracks/${added.id}`)
    expect(await wrongCounts(app)).toEqual([])
    for (let days = 0; days < 3; days++) {
      clock.forward(day)
      await app.ctx.blobs.sweep(app.ctx.db)
    }
    expect((await blobFileNames(app)).length).toBe(others)
  })

  it('refuses a part of another length, what is no recording, and JSON', async () => {
    const before = await countedBytes(app, una)
    const { id } = (await una.post('/recordingUploads', { size: 200_000 })).body
    const lengths = [
      [0, 10],
      [0, 0],
      [0, 200_001],
      [199_999, 2],
      [200_000, 1],
    ] as const
    for (const [start, length] of lengths) {
      const reply = await send(id, start, noise(length))
      expect([start, length, ...codeOf(reply)]).toEqual([start, length, 400, 'INVALID_PARAMETER', 'body'])
    }
    const program = Buffer.from('<script>alert(1)</script>'.padEnd(200_000))
    expect(codeOf(await send(id, 0, program))).toEqual([400, 'UNREADABLE_RECORDING', undefined])
    const json = await una.put(`/recordingUploads/${id}/parts/0`, { data: '' })
    expect(codeOf(json)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined])
    const elsewhere = await una.post('/recordingUploads', noise(9))
    expect(codeOf(elsewhere)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined])
    await una.delete(`/recordingUploads/${id}`)
    expect(await countedBytes(app, una)).toBe(before)
  })
})
