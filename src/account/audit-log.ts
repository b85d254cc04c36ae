import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import { AuditLog, AuditLogFilter, AuditLogQuery } from '../contract/account.ts'
import type { Queries } from '../db/database.ts'
import { fail } from '../errors.ts'
import { auditedActions } from '../features/audit/audit.ts'
import { eventTable, listNewest, type Reading } from '../features/audit/listing.ts'
import { isAdministratorRole } from '../features/organizations/policy.ts'
import { findAccount } from '../features/users/store.ts'
import type { Visitor } from '../http/session.ts'
import { csvOf } from '../lib/csv.ts'
import { timeOf } from '../lib/date-time.ts'
import { isId } from '../lib/ids.ts'
import { sortKey } from '../lib/sort-key.ts'
import { File } from '../operation.ts'
import { accountRoute } from './route.ts'

/** What was done to accounts and rights in an organization, for its administrators. */
export const auditLogRoutes = [
  accountRoute({
    method: 'GET',
    path: '/audit-log',
    query: AuditLogQuery,
    response: AuditLog,
    async handle({ ctx, visitor, query: { cursor, limit = 50, ...asked } }) {
      const filter = await filterOf(ctx.db.read, visitor, asked)
      if (cursor !== undefined && !isId(cursor)) fail('INVALID_CURSOR', { param: 'cursor' })
      const { events, next } = await listNewest(ctx.db.read, filter, { after: cursor, limit })
      return {
        events: events.map(({ organization: _own, actor, subject, details, ...event }) => ({
          ...event,
          actor: actor ? { id: actor.id, username: actor.username ?? null } : null,
          subject: subject ? { id: subject.id, username: subject.username ?? null } : null,
          details: JSON.stringify(details),
        })),
        next: next ?? null,
        actions: [...auditedActions],
      }
    },
  }),

  accountRoute({
    method: 'GET',
    path: '/audit-log.csv',
    query: AuditLogFilter,
    async handle({ ctx, visitor, query }) {
      const table = eventTable(ctx.db.read, await filterOf(ctx.db.read, visitor, query))
      const stream = Readable.from(csvOf(table), { objectMode: false })
      return new File({ stream }, 'text/csv; charset=utf-8', 'audit-log.csv')
    },
  }),
]

/**
 * Of the administrator's own organization, and nothing else.
 * @throws ORGANIZATION_ACCESS_DENIED for others; USER_NOT_FOUND where a name is nobody's there, now
 */
async function filterOf(
  queries: Queries,
  { user: { organization_id: organization, organization_role: role } }: Visitor,
  { user, action, since, until }: Static<typeof AuditLogFilter>,
): Promise<Reading> {
  if (organization === null || role === null || !isAdministratorRole(role)) fail('ORGANIZATION_ACCESS_DENIED')
  return {
    organization,
    namesOf: organization,
    user: user === undefined ? undefined : await idIn(queries, organization, user),
    action,
    since: since === undefined ? undefined : timeOf(since),
    until: until === undefined ? undefined : timeOf(until),
  }
}

/** An id may be that of somebody who is gone. */
async function idIn(queries: Queries, organization: string, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName
  const account = await findAccount(queries, sortKey(idOrName))
  return account?.organization_id === organization ? account.id : fail('USER_NOT_FOUND', { param: 'user' })
}
