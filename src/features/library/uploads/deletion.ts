import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { changeStoredBytes, releaseStoredBytes } from '../../people/storage/quota.ts'
import { deleteFile, type UploadRow } from './store.ts'

/** Deletes an upload. The disk keeps what has arrived until the sweep; the rest was only reserved. */
export async function deleteUpload(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { id, user_id, size, received }: UploadRow,
): Promise<void> {
  await deleteFile(tx, id)
  await changeStoredBytes(tx, user_id, received - size)
  await releaseStoredBytes(ctx, tx, user_id, received)
}
