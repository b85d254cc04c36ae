import type { ProfilePictureKind } from '../../../contract/profile-pictures.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { ProfilePicturesTable } from '../../../platform/db/people-tables.ts'
import { changeStoredBytes } from '../storage/quota.ts'

/** The column of a user with the id of the picture. */
const columnOf = { picture: 'picture_id', cover: 'cover_picture_id' } as const

/** Stores a picture of a profile that has none of this kind. */
export async function insertPicture(tx: Transaction, picture: ProfilePicturesTable): Promise<void> {
  await tx.insertInto('profile_pictures').values(picture).execute()
  await updatePictureId(tx, picture.user_id, picture.kind, picture.id)
}

/** Deletes a picture of a profile, and its bytes from the storage of the account. Returns whether there was one. */
export async function deletePicture(
  tx: Transaction,
  user: string,
  kind: ProfilePictureKind,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('profile_pictures')
    .where('user_id', '=', user)
    .where('kind', '=', kind)
    .returning('content')
    .executeTakeFirst()
  if (!deleted) return false
  await updatePictureId(tx, user, kind, null)
  await changeStoredBytes(tx, user, -deleted.content.length)
  return true
}

async function updatePictureId(
  tx: Transaction,
  user: string,
  kind: ProfilePictureKind,
  id: string | null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ [columnOf[kind]]: id })
    .where('id', '=', user)
    .execute()
}

const pictureById = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('profile_pictures')
    .innerJoin('users', 'users.id', 'profile_pictures.user_id')
    .where('profile_pictures.id', '=', p('id'))
    .where('users.deletion_at', 'is', null)
    .select('content'),
)

/** Returns a picture as WebP, unless its user was removed. */
export async function findPicture(queries: Queries, id: string): Promise<Uint8Array | undefined> {
  const [picture] = await pictureById(queries, { id })
  return picture?.content
}

/** Lists the pictures of a user. */
export async function listPicturesOf(
  queries: Queries,
  user: string,
): Promise<Pick<ProfilePicturesTable, 'kind' | 'content'>[]> {
  return queries
    .selectFrom('profile_pictures')
    .where('user_id', '=', user)
    .select(['kind', 'content'])
    .orderBy('kind')
    .execute()
}
