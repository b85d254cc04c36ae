import type { Actor } from '../../../actor.ts'
import { fail } from '../../../errors.ts'
import { day } from '../../../lib/durations.ts'
import { isId } from '../../../lib/ids.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { findUpload, type UploadRow } from './store.ts'

/** Milliseconds from the creation of an upload until the server deletes it. */
export const uploadLifetime = day

/** Maximum number of uploads of a user that no track has yet. */
export const maxUploads = 20

/**
 * Loads an upload of the actor.
 * @throws UPLOAD_NOT_FOUND if it does not exist, belongs to another user, has expired, or a track has its recording
 */
export async function loadUpload(
  { clock }: { readonly clock: { now(): number } },
  queries: Queries,
  actor: Actor,
  id: string,
  details: { param?: string } = {},
): Promise<UploadRow> {
  const upload = isId(id) ? await findUpload(queries, { id, user: actor.id }) : undefined
  if (!upload || upload.created_at + uploadLifetime <= clock.now()) fail('UPLOAD_NOT_FOUND', details)
  return upload
}

/**
 * Loads an upload of the actor whose recording has arrived completely.
 * @throws UPLOAD_INCOMPLETE, and the errors of `loadUpload`, with the field `upload`
 */
export async function loadCompleteUpload(
  ctx: Parameters<typeof loadUpload>[0],
  queries: Queries,
  actor: Actor,
  id: string,
): Promise<UploadRow> {
  const details = { param: 'upload' }
  const upload = await loadUpload(ctx, queries, actor, id, details)
  if (upload.received < upload.size) fail('UPLOAD_INCOMPLETE', details)
  return upload
}
