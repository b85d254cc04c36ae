import { NewRecordingUpload, RecordingUpload } from '../../../contract/recordings.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { addStoredBytes } from '../../people/storage/quota.ts'
import { maxUploads } from './policy.ts'
import { presentUpload } from './present.ts'
import { countUploads, insertUpload, type UploadRow } from './store.ts'

export const createRecordingUpload = operation({
  id: 'createRecordingUpload',
  tag: 'Score',
  summary: 'Start the upload of a recording',
  description:
    'Upload the recording in parts with `uploadRecordingPart`, and then name the upload in `addScoreTrack`. After an ' +
    'interruption, `getRecordingUpload` says where to go on. The bytes count against the storage quota of the caller from now ' +
    'on. The server deletes an upload that no track has got within a day.',
  scopes: ['scores'],
  body: NewRecordingUpload,
  responses: { 200: RecordingUpload },
  errors: [402, 403],
  async handle({ ctx, actor, body: { size } }) {
    const upload: UploadRow = {
      id: ctx.newId(),
      user_id: actor.id,
      track_id: null,
      media_type: null,
      size,
      received: 0,
      created_at: ctx.clock.now(),
    }
    await ctx.transaction(async (tx) => {
      if ((await countUploads(tx, actor.id)) >= maxUploads) fail('TOO_MANY_UPLOADS')
      await insertUpload(tx, upload)
      await addStoredBytes(ctx, tx, actor.id, size)
    })
    return presentUpload(upload)
  },
})
