import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { codeOf } from '../../../../test/support/recordings.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { countedBytes } from '../../../../test/support/stored-bytes.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('createRecordingUpload', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { accountStorage: '4MiB' }, { clock })
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('reserves the bytes for a day', async () => {
    const { sam } = people
    const { status, body } = await sam.post('/recordingUploads', { size: 1_000_000 })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      size: 1_000_000,
      received: 0,
      expirationDate: new Date(clock.now() + day).toISOString(),
    })
    expect(await countedBytes(app, sam)).toBe(1_000_000)
    const tooMuch = await sam.post('/recordingUploads', { size: 4_000_000 })
    expect(codeOf(tooMuch)).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED', undefined])
    expect(await countedBytes(app, sam)).toBe(1_000_000)
  })

  it('names an invalid size', async () => {
    for (const body of [{}, { size: 0 }, { size: 100 * 1024 * 1024 + 1 }, { size: '1 MB' }])
      expect(codeOf(await people.sam.post('/recordingUploads', body))).toEqual([
        400,
        'INVALID_PARAMETER',
        'size',
      ])
  })

  it('allows 20 uploads, which expire after a day', async () => {
    const { theo } = people
    const start = async (): Promise<string> => (await theo.post('/recordingUploads', { size: 9 })).body.id
    const [first] = await Promise.all(Array.from({ length: 20 }, start))
    const another = await theo.post('/recordingUploads', { size: 1 })
    expect(codeOf(another)).toEqual([403, 'TOO_MANY_UPLOADS', undefined])
    clock.forward(day)
    const expired = await theo.get(`/recordingUploads/${first}`)
    expect(codeOf(expired)).toEqual([404, 'UPLOAD_NOT_FOUND', undefined])
    await app.jobsDone()
    expect(await countedBytes(app, theo)).toBe(0)
    expect(await app.ctx.db.read.selectFrom('recording_files').select('id').execute()).toEqual([])
    await start()
  })
})
