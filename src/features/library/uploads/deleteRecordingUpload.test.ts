import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newUpload } from '../../../../test/support/recordings.ts'
import { countedBytes, wrongCounts } from '../../../../test/support/stored-bytes.ts'

describeApp('deleteRecordingUpload', (app) => {
  it('deletes the upload and no longer counts its bytes', async () => {
    const una = await app.person('una')
    const upload = await newUpload(una)
    expect((await una.delete(`/recordingUploads/${upload}`)).status).toBe(204)
    expect((await una.get(`/recordingUploads/${upload}`)).status).toBe(404)
    expect(await countedBytes(app, una)).toBe(0)
    expect(await wrongCounts(app)).toEqual([])
  })
})
