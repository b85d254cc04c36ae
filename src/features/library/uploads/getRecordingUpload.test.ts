import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { codeOf, wavOf } from '../../../../test/support/recordings.ts'

describeApp('getRecordingUpload', (app) => {
  it('says where the next part begins, to the user who uploads', async () => {
    const [una, otto] = [await app.person('una'), await app.person('otto')]
    const bytes = wavOf({ seconds: 10 })
    const { id } = (await una.post('/recordingUploads', { size: bytes.length })).body
    await una.put(`/recordingUploads/${id}/parts/0`, bytes.subarray(0, 70_000))
    expect((await una.get(`/recordingUploads/${id}`)).body).toMatchObject({
      size: bytes.length,
      received: 70_000,
      mediaType: 'audio/wav',
    })
    const refused = await otto.get(`/recordingUploads/${id}`)
    expect(codeOf(refused)).toEqual([404, 'UPLOAD_NOT_FOUND', undefined])
  })
})
