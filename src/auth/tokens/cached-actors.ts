import type { Context } from '../../context.ts'
import { afterCommit } from '../../platform/db/after-commit.ts'
import type { Transaction } from '../../platform/db/database.ts'

/**
 * Deletes the cached actors of these accounts after the transaction commits. Every transaction that ends a token, or that
 * changes what an account may do, must call it: otherwise a token keeps its old rights until the cache entry expires.
 */
export function deleteCachedActors(
  { auth }: Pick<Context, 'auth'>,
  tx: Transaction,
  accountIds: Iterable<string>,
): void {
  const ids = [...accountIds]
  if (ids.length === 0) return
  afterCommit(tx, () => {
    for (const id of ids) auth.actors.deleteGroup(id)
  })
}
