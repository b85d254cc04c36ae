import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { RecordingFilesTable, RecordingPartsTable } from '../../../platform/db/score-tables.ts'

/** A file that no track has yet. */
export type UploadRow = RecordingFilesTable

const uploadById = compiled((db, p: Params<{ id: string; user: string }>) =>
  db
    .selectFrom('recording_files')
    .selectAll()
    .where('id', '=', p('id'))
    .where('user_id', '=', p('user'))
    .where('track_id', 'is', null),
)

export async function findUpload(
  queries: Queries,
  by: { id: string; user: string },
): Promise<UploadRow | undefined> {
  const [upload] = await uploadById(queries, by)
  return upload
}

export async function countUploads(queries: Queries, user: string): Promise<number> {
  const { count } = await queries
    .selectFrom('recording_files')
    .where('user_id', '=', user)
    .where('track_id', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const insertFile = insertion('recording_files')

export async function insertUpload(tx: Transaction, upload: UploadRow): Promise<void> {
  await insertFile(tx, upload)
}

const insertPartRow = insertion('recording_parts')

/** Inserts the next part of an upload. */
export async function insertPart(
  tx: Transaction,
  part: RecordingPartsTable,
  changed: Pick<UploadRow, 'received' | 'media_type'>,
): Promise<void> {
  await insertPartRow(tx, part)
  await tx.updateTable('recording_files').set(changed).where('id', '=', part.file_id).execute()
}

export async function findPart(
  queries: Queries,
  by: { file: string; start: number },
): Promise<RecordingPartsTable | undefined> {
  return queries
    .selectFrom('recording_parts')
    .selectAll()
    .where('file_id', '=', by.file)
    .where('start', '=', by.start)
    .executeTakeFirst()
}

/** Makes an upload the recording of a track. */
export async function giveToTrack(tx: Transaction, id: string, track: string): Promise<void> {
  await tx.updateTable('recording_files').set({ track_id: track }).where('id', '=', id).execute()
}

/** Deletes a file with its parts. The sweep deletes the blobs to which no other row refers. */
export async function deleteFile(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('recording_files').where('id', '=', id).execute()
}

/** Deletes all files of a user, also those of tracks. */
export async function deleteFilesOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('recording_files').where('user_id', '=', user).execute()
}

/** Lists uploads that were created at a time or before it, oldest first. */
export async function listExpiredUploads(
  queries: Queries,
  by: { createdUntil: number; limit: number },
): Promise<UploadRow[]> {
  return queries
    .selectFrom('recording_files')
    .selectAll()
    .where('track_id', 'is', null)
    .where('created_at', '<=', by.createdUntil)
    .orderBy('created_at')
    .limit(by.limit)
    .execute()
}

/**
 * Copies the file of a track for a copy of the track. The copies have the same blobs.
 * @returns the number of bytes of the copy; 0 if the track has no file
 */
export async function copyFile(
  tx: Transaction,
  original: string,
  copy: { id: string; user: string; track: string; now: number },
): Promise<number> {
  const file = await tx
    .selectFrom('recording_files')
    .selectAll()
    .where('track_id', '=', original)
    .executeTakeFirst()
  if (!file) return 0
  const { id, user: user_id, track: track_id, now: created_at } = copy
  await insertFile(tx, { ...file, id, user_id, track_id, created_at })
  const parts = await tx.selectFrom('recording_parts').selectAll().where('file_id', '=', file.id).execute()
  for (const part of parts) await insertPartRow(tx, { ...part, file_id: id })
  return file.size
}

/** Lists the recordings of a user's tracks, for the export of the account. */
export async function listRecordingsOf(
  queries: Queries,
  user: string,
): Promise<Pick<UploadRow, 'id' | 'media_type'>[]> {
  return queries
    .selectFrom('recording_files')
    .where('user_id', '=', user)
    .where('track_id', 'is not', null)
    .select(['id', 'media_type'])
    .orderBy('id')
    .execute()
}
