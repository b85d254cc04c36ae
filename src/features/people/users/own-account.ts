import type { Actor } from '../../../actor.ts'
import { fail } from '../../../errors.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { findUser, type UserRow } from './store.ts'

/**
 * Returns the account of the caller.
 * @throws UNAUTHORIZED if it was removed after the request was authenticated
 */
export async function loadOwnAccount(queries: Queries, { id }: Actor): Promise<UserRow> {
  return (await findUser(queries, { id })) ?? fail('UNAUTHORIZED')
}
