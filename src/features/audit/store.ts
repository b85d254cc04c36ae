import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { AuditEventsTable } from '../../db/tables.ts'
import { idAt } from '../../lib/ids.ts'

export const insertEvent = insertion('audit_events')

/** The organization of an account, a removed one too. */
export async function findOrganizationOf(queries: Queries, user: string): Promise<string | null> {
  const [row] = await organizationOf(queries, { user })
  return row?.organization_id ?? null
}

const organizationOf = compiled((db, p: Params<{ user: string }>) =>
  db.selectFrom('users').select('organization_id').where('id', '=', p('user')),
)

/** Which events are listed; what is undefined does not matter. Times are milliseconds since 1970. */
export interface EventFilter {
  organization?: string | undefined
  /** Who did it, or to whom it was done. */
  user?: string | undefined
  action?: string | undefined
  /** From this time on. */
  since?: number | undefined
  /** Before this time. */
  until?: number | undefined
}

interface Portion {
  direction: 'asc' | 'desc'
  /** The id of the event after which it begins, in that direction. */
  after?: string | undefined
  limit: number
}

/** Events in the order of their ids, which is that of time; each condition is one that an index of the table serves. */
export async function listEvents(
  queries: Queries,
  filter: EventFilter,
  { direction, after, limit }: Portion,
): Promise<AuditEventsTable[]> {
  const { organization, user, action, since, until } = filter
  const found = (column?: 'actor_id' | 'subject_id') =>
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
  if (user === undefined) return found().execute()
  // Each is read along an index of its own, which a condition on both would not be.
  const [done, suffered] = await Promise.all([found('actor_id').execute(), found('subject_id').execute()])
  const events = new Map([...done, ...suffered].map((event) => [event.id, event]))
  const sign = direction === 'asc' ? 1 : -1
  return [...events.values()].sort((a, b) => (a.id < b.id ? -sign : sign)).slice(0, limit)
}

/**
 * What these accounts are called, by their ids; of others nothing is known.
 * @param organization names its accounts alone
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

/** Forgets the oldest of the events from before that time, in milliseconds. Whether there may be more. */
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
