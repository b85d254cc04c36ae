import { partBytes } from '../../../contract/recording-files.ts'
import { partParams, RecordingPart, RecordingUpload } from '../../../contract/recordings.ts'
import { fail } from '../../../errors.ts'
import { recordingTypeOf } from '../../../lib/recording-type.ts'
import { operation } from '../../../operation.ts'
import { loadUpload } from './policy.ts'
import { presentUpload } from './present.ts'
import { findPart, insertPart, type UploadRow } from './store.ts'

export const uploadRecordingPart = operation({
  id: 'uploadRecordingPart',
  tag: 'Score',
  summary: 'Upload a part of a recording',
  description:
    'Parts are stored one after another: `start` is the number of bytes that the server has received. A part that is sent ' +
    'again, because its answer was lost, changes nothing. The server finds the type of the recording in the first part.',
  scopes: ['scores'],
  params: partParams,
  body: RecordingPart,
  responses: { 200: RecordingUpload },
  errors: [404, 409],
  async handle({ ctx, actor, params: { upload: id, start }, body }) {
    const before = await loadUpload(ctx, ctx.db.read, actor, id)
    checkLength(before, start, body.length)
    const isFirst = start === 0 && before.received === 0
    const type = isFirst ? (recordingTypeOf(body) ?? fail('UNREADABLE_RECORDING')) : null
    const blob = await ctx.blobs.prepare(body)
    const changed = await ctx.blobs.storing([blob], () =>
      ctx.transaction(async (tx) => {
        const upload = await loadUpload(ctx, tx, actor, id)
        if (start < upload.received) {
          const stored = await findPart(tx, { file: id, start })
          if (stored?.part_blob === blob.hash) return upload
        }
        if (start !== upload.received) {
          fail('UPLOAD_OFFSET', {
            param: 'start',
            message: `The server has received ${upload.received} bytes, so the next part begins there.`,
          })
        }
        const received = start + body.length
        const media_type = upload.media_type ?? type
        await ctx.blobs.insert(tx, blob)
        const part = { file_id: id, start, size: body.length, part_blob: blob.hash }
        await insertPart(tx, part, { received, media_type })
        return { ...upload, received, media_type }
      }),
    )
    return presentUpload(changed)
  },
})

/** @throws INVALID_PARAMETER (`body`) for a part that is too short, too long, or goes beyond the end of the recording */
function checkLength({ size }: UploadRow, start: number, length: number): void {
  const left = size - start
  const least = Math.max(1, Math.min(partBytes.least, left))
  const most = Math.min(partBytes.most, left)
  if (length >= least && length <= most) return
  fail('INVALID_PARAMETER', {
    param: 'body',
    message:
      left <= 0
        ? `The recording ends at ${size} bytes.`
        : `A part that begins at ${start} has ${least} to ${most} bytes. This one has ${length}.`,
  })
}
