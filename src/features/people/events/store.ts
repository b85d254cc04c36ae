import { idAt } from '../../../lib/ids.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { EventsTable } from '../../../platform/db/event-tables.ts'
import { insertion } from '../../../platform/db/insertion.ts'

export const insertEvent = insertion('events')

/** Whose events are read: those of an organization or those of an account. */
export type Audience = { organization: string } | { user: string }

/** An event whose place in the order is known. */
export type PlacedEvent = EventsTable & { position: number }

const audienceColumn = (audience: Audience) => ('user' in audience ? 'user_id' : 'organization_id')
const audienceId = (audience: Audience) => ('user' in audience ? audience.user : audience.organization)

const unplaced = compiled((db, p: Params<{ limit: number }>) =>
  db.selectFrom('events').selectAll().where('position', 'is', null).orderBy('id').limit(p('limit')),
)

const lastPosition = compiled((db) =>
  db
    .selectFrom('events')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1),
)

const setPosition = compiled((db, p: Params<{ id: string; position: number }>) =>
  db
    .updateTable('events')
    .set({ position: p('position') })
    .where('id', '=', p('id')),
)

const placedAtOnce = 500

/** Whether events were recorded that have no place yet. */
export const hasUnplaced = async (queries: Queries): Promise<boolean> =>
  (await unplaced(queries, { limit: 1 })).length > 0

/**
 * Gives each event that has none a place in the order, behind all earlier ones. Only one transaction at a time can do it, since it
 * reads what it writes.
 * @param now milliseconds since 1970, the least place that is given, so that places also ascend after all events were deleted
 * @returns the events, which may not be all of them
 */
export async function placeEvents(tx: Transaction, now: number): Promise<PlacedEvent[]> {
  const rows = await unplaced(tx, { limit: placedAtOnce })
  if (rows.length === 0) return []
  const [last] = await lastPosition(tx, {})
  const first = Math.max(last?.position ?? 0, now) + 1
  const placed = rows.map((row, index) => ({ ...row, position: first + index }))
  await Promise.all(placed.map(({ id, position }) => setPosition(tx, { id, position })))
  return placed
}

/** Returns the place of an event. Undefined if the audience has no such event, or not any more. */
export async function findPosition(
  queries: Queries,
  audience: Audience,
  id: string,
): Promise<number | undefined> {
  const row = await queries
    .selectFrom('events')
    .select('position')
    .where('id', '=', id)
    .where(audienceColumn(audience), '=', audienceId(audience))
    .executeTakeFirst()
  return row?.position ?? undefined
}

/**
 * Lists the events of an audience in their order.
 * @param after the place of the event before the first one
 * @param types all types if it is undefined
 */
export async function listEvents(
  queries: Queries,
  audience: Audience,
  { after, types, limit }: { after: number; types: readonly string[] | undefined; limit: number },
): Promise<PlacedEvent[]> {
  const rows = await queries
    .selectFrom('events')
    .selectAll()
    .where(audienceColumn(audience), '=', audienceId(audience))
    .where('position', '>', after)
    .$if(types !== undefined, (query) => query.where('type', 'in', (types ?? []) as EventsTable['type'][]))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows as PlacedEvent[]
}

const deletedAtOnce = 500

/** Deletes some of the events from before a time, in milliseconds. Returns whether more may remain. */
export async function deleteOldEvents(tx: Transaction, time: number): Promise<boolean> {
  const old = await tx
    .selectFrom('events')
    .select('id')
    .where('id', '<', idAt(time))
    .orderBy('id')
    .limit(deletedAtOnce)
    .execute()
  const last = old.at(-1)
  if (last) await tx.deleteFrom('events').where('id', '<=', last.id).execute()
  return old.length === deletedAtOnce
}

/** Returns events by their ids. */
export async function listEventsById(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, EventsTable>> {
  if (ids.length === 0) return new Map()
  const rows = await queries.selectFrom('events').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
