import { RecordingUpload, uploadParams } from '../../../contract/recordings.ts'
import { operation } from '../../../operation.ts'
import { loadUpload } from './policy.ts'
import { presentUpload } from './present.ts'

export const getRecordingUpload = operation({
  id: 'getRecordingUpload',
  tag: 'Score',
  summary: 'Get how much of a recording was uploaded',
  scopes: ['scores'],
  params: uploadParams,
  responses: { 200: RecordingUpload },
  errors: [404],
  async handle({ ctx, actor, params: { upload } }) {
    return presentUpload(await loadUpload(ctx, ctx.db.read, actor, upload))
  },
})
