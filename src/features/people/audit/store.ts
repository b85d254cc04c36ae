import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AuditEventsTable, PasswordOrigin } from '../../../platform/db/people-tables.ts'
import { idAt } from '../../../lib/ids.ts'

export const insertEvent = insertion('audit_events')

/** Returns the organization of an account, even of a removed one. */
export async function findOrganizationOf(queries: Queries, user: string): Promise<string | null> {
  const [row] = await organizationOf(queries, { user })
  return row?.organization_id ?? null
}

const organizationOf = compiled((db, p: Params<{ user: string }>) =>
  db.selectFrom('users').select('organization_id').where('id', '=', p('user')),
)

const passwordOriginOf = compiled((db, p: Params<{ id: string }>) =>
  db.selectFrom('users').select('password_origin').where('id', '=', p('id')),
)

/** Returns who chose the present password of a user. */
export async function findPasswordOrigin(queries: Queries, id: string): Promise<PasswordOrigin> {
  const [user] = await passwordOriginOf(queries, { id })
  return user?.password_origin ?? 'own'
}

/** Finds the other person who has last set the password of a user, and when. The name is null outside of the organization. */
export async function findPasswordSetter(
  queries: Queries,
  user: string,
): Promise<{ username: string | null; created_at: number } | undefined> {
  return queries
    .selectFrom('audit_events')
    .leftJoin('users as setters', (join) =>
      join
        .onRef('setters.id', '=', 'audit_events.actor_id')
        .onRef('setters.organization_id', '=', 'audit_events.organization_id'),
    )
    .where('subject_id', '=', user)
    .where('action', 'in', ['user.password-changed', 'user.created'])
    .where('actor_id', '!=', user)
    .orderBy('audit_events.id', 'desc')
    .select(['setters.username', 'audit_events.created_at'])
    .limit(1)
    .executeTakeFirst()
}

/** Returns when a user last signed in, in milliseconds since 1970. Undefined if the log does not have it any more. */
export async function findLastSignIn(queries: Queries, user: string): Promise<number | undefined> {
  const event = await queries
    .selectFrom('audit_events')
    .where('subject_id', '=', user)
    .where('action', 'in', ['user.signed-in', 'user.signed-in-by-link', 'user.signed-in-by-provider'])
    .orderBy('id', 'desc')
    .select('created_at')
    .limit(1)
    .executeTakeFirst()
  return event?.created_at
}

/** Conditions on events. Undefined fields do not filter. Times are milliseconds since 1970. */
export interface EventFilter {
  organization?: string | undefined
  /** The account is the actor or the subject. */
  user?: string | undefined
  action?: string | undefined
  /** Inclusive. */
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
}

interface EventBatch {
  direction: 'asc' | 'desc'
  /** The id of the last event of the previous batch. */
  after?: string | undefined
  limit: number
}

/**
 * Lists events in the order of their ids, which is the order of time. An index of the table serves each
 * condition.
 */
export async function listEvents(
  queries: Queries,
  filter: EventFilter,
  { direction, after, limit }: EventBatch,
): Promise<AuditEventsTable[]> {
  const { organization, user, action, since, until } = filter
  const eventsQuery = (column?: 'actor_id' | 'subject_id') =>
    queries
      .selectFrom('audit_events')
      .selectAll()
      .$if(organization !== undefined, (query) => query.where('organization_id', '=', organization ?? ''))
      .$if(column !== undefined, (query) => query.where(column ?? 'actor_id', '=', user ?? ''))
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(since !== undefined, (query) => query.where('id', '>=', idAt(since ?? 0)))
      .$if(until !== undefined, (query) => query.where('id', '<', idAt(until ?? 0)))
      .$if(after !== undefined, (query) => query.where('id', direction === 'asc' ? '>' : '<', after ?? ''))
      .orderBy('id', direction)
      .limit(limit)
  if (user === undefined) return eventsQuery().execute()
  // Two queries use an index each. One query with both conditions could not use either.
  const [actorEvents, subjectEvents] = await Promise.all([
    eventsQuery('actor_id').execute(),
    eventsQuery('subject_id').execute(),
  ])
  const events = new Map([...actorEvents, ...subjectEvents].map((event) => [event.id, event]))
  const sign = direction === 'asc' ? 1 : -1
  return [...events.values()].sort((a, b) => (a.id < b.id ? -sign : sign)).slice(0, limit)
}

/**
 * Returns usernames by the ids of the accounts. Accounts that do not exist are missing.
 * @param organization includes only accounts of this organization
 */
export async function listUsernames(
  queries: Queries,
  ids: readonly string[],
  organization?: string,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', ids)
    .$if(organization !== undefined, (query) => query.where('organization_id', '=', organization ?? ''))
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

const atATime = 500

/** Deletes some of the oldest events from before a time, in milliseconds. Returns whether more may remain. */
export async function deleteEventsBefore(tx: Transaction, time: number): Promise<boolean> {
  const old = await tx
    .selectFrom('audit_events')
    .select('id')
    .where('id', '<', idAt(time))
    .orderBy('id')
    .limit(atATime)
    .execute()
  const last = old.at(-1)
  if (last) await tx.deleteFrom('audit_events').where('id', '<=', last.id).execute()
  return old.length === atATime
}
