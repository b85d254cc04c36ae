import { Readable } from 'node:stream'
import type { RecordingMediaType } from '../../lib/recording-type.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { compiled, type Params } from '../db/compiled.ts'
import type { Queries } from '../db/database.ts'

/** A complete recording to send. */
export interface OpenRecording {
  readonly mediaType: RecordingMediaType
  /** Number of bytes. */
  readonly size: number
  /**
   * Reads the bytes from `start` to `end`, both inclusive. At most one part of the recording is in memory. The stream fails if
   * a part is missing or corrupt.
   */
  read(start: number, end: number): Readable
}

/** Opens the recording of a track. Returns undefined if there is no such file, for example because its track was deleted. */
export async function openRecording(
  { blobs, db }: { readonly blobs: BlobStore; readonly db: { readonly read: Queries } },
  id: string,
): Promise<OpenRecording | undefined> {
  const parts = await partsOfRecording(db.read, { id })
  const [first] = parts
  if (!first?.media_type) return undefined
  const { media_type: mediaType, size } = first

  async function* bytes(start: number, end: number) {
    for (const part of parts) {
      const from = Math.max(0, start - part.start)
      const to = Math.min(part.part_size, end + 1 - part.start)
      if (from < to) yield (await blobs.read(db.read, part.part_blob)).subarray(from, to)
    }
  }
  return { mediaType, size, read: (start, end) => Readable.from(bytes(start, end), { objectMode: false }) }
}

const partsOfRecording = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('recording_parts')
    .innerJoin('recording_files', 'recording_files.id', 'recording_parts.file_id')
    .where('file_id', '=', p('id'))
    .where('track_id', 'is not', null)
    .select(['recording_files.media_type', 'recording_files.size', 'recording_parts.start', 'part_blob'])
    .select('recording_parts.size as part_size')
    .orderBy('recording_parts.start'),
)
