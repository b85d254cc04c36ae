import type { RecordingUpload } from '../../../contract/recordings.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { uploadLifetime } from './policy.ts'
import type { UploadRow } from './store.ts'

export function presentUpload(upload: UploadRow): RecordingUpload {
  return {
    id: upload.id,
    size: upload.size,
    received: upload.received,
    mediaType: upload.media_type ?? undefined,
    expirationDate: dateTime(upload.created_at + uploadLifetime),
  }
}
