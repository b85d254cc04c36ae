import type { Static } from 'typebox'
import type { Actor } from '../../../actor.ts'
import type { AuditLogFilter } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import { isId } from '../../../lib/ids.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { findAccount } from '../users/store.ts'
import type { EventReading } from './listing.ts'

/**
 * Returns what an administrator may read of the audit log: the events of the own organization that match a filter.
 * @throws ORGANIZATION_ACCESS_DENIED if the caller is not an administrator; USER_NOT_FOUND if no member has the username
 */
export async function readingFor(
  queries: Queries,
  actor: Actor,
  { user, action, since, until }: Static<typeof AuditLogFilter>,
): Promise<EventReading> {
  const { organization } = checkAdministrator(actor)
  return {
    organization,
    namesOf: organization,
    user: user === undefined ? undefined : await idIn(queries, organization, user),
    action,
    since: since === undefined ? undefined : parseDateTime(since),
    until: until === undefined ? undefined : parseDateTime(until),
  }
}

/** An id is not looked up, since its account may have been erased. */
async function idIn(queries: Queries, organization: string, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName
  const account = await findAccount(queries, sortKey(idOrName))
  return account?.organization_id === organization ? account.id : fail('USER_NOT_FOUND', { param: 'user' })
}
