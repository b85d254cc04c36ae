import { uploadParams } from '../../../contract/recordings.ts'
import { Empty, operation } from '../../../operation.ts'
import { deleteUpload } from './deletion.ts'
import { loadUpload } from './policy.ts'

export const deleteRecordingUpload = operation({
  id: 'deleteRecordingUpload',
  tag: 'Score',
  summary: 'Delete the upload of a recording',
  scopes: ['scores'],
  params: uploadParams,
  responses: { 204: Empty },
  errors: [404],
  async handle({ ctx, actor, params: { upload } }) {
    await ctx.transaction(async (tx) => deleteUpload(ctx, tx, await loadUpload(ctx, tx, actor, upload)))
  },
})
