import type { Queries } from '../../../platform/db/database.ts'
import type { AuditEventsTable } from '../../../platform/db/people-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { Moment, type Table } from '../../../lib/spreadsheet.ts'
import { type EventFilter, listEvents, listUsernames } from './store.ts'

/** An account or an object. Objects and deleted accounts have no username. */
interface NamedObject {
  id: string
  username?: string
}

/** An event with the present usernames of its accounts. */
export interface LoggedEvent {
  id: string
  /** RFC 3339. */
  date: string
  action: string
  organization?: string
  /** Absent for the command line, for the server itself and for an unknown caller. */
  actor?: NamedObject
  subject?: NamedObject
  details: Readonly<Record<string, unknown>>
}

/** Filter of the events, and which names the reader sees. */
export interface EventReading extends EventFilter {
  /**
   * The organization whose accounts appear with their usernames. A member who has left may have another name
   * now, which the organization must not learn. Undefined shows the names of all accounts.
   */
  namesOf?: string | undefined
}

/** How many events are in memory at a time. */
const batchSize = 500

/** Presents events. One query finds the usernames of all accounts. */
async function presentEvents(
  queries: Queries,
  events: readonly AuditEventsTable[],
  { namesOf }: EventReading,
): Promise<LoggedEvent[]> {
  const ids = new Set(events.flatMap(({ actor_id, subject_id }) => [actor_id ?? [], subject_id ?? []].flat()))
  const usernames = await listUsernames(queries, [...ids], namesOf)
  const withName = (id: string): NamedObject => {
    const username = usernames.get(id)
    return username === undefined ? { id } : { id, username }
  }
  return events.map(({ id, created_at, action, organization_id, actor_id, subject_id, details }) => ({
    id,
    date: dateTime(created_at),
    action,
    ...(organization_id !== null && { organization: organization_id }),
    ...(actor_id !== null && { actor: withName(actor_id) }),
    ...(subject_id !== null && { subject: withName(subject_id) }),
    details: JSON.parse(details),
  }))
}

/**
 * Returns a page of the matching events, the newest first, and the id of the event after which the next page
 * starts.
 */
export async function listNewest(
  queries: Queries,
  filter: EventReading,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ events: LoggedEvent[]; next: string | undefined }> {
  const rows = await listEvents(queries, filter, { direction: 'desc', after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return {
    events: await presentEvents(queries, page, filter),
    next: rows.length > limit ? page.at(-1)?.id : undefined,
  }
}

/** Yields all matching events in batches, the oldest first. */
export async function* readEvents(queries: Queries, filter: EventReading): AsyncGenerator<LoggedEvent[]> {
  let after: string | undefined
  for (;;) {
    const rows = await listEvents(queries, filter, { direction: 'asc', after, limit: batchSize })
    if (rows.length > 0) yield presentEvents(queries, rows, filter)
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id
  }
}

/** Returns all matching events as a table. The column of the details contains JSON objects. */
export function eventTable(queries: Queries, filter: EventReading): Table {
  const columns = ['Date', 'Action', 'Actor', 'Actor id', 'Subject', 'Subject id', 'Organization', 'Details']
  return { columns, rows: rowsOf(readEvents(queries, filter)) }
}

async function* rowsOf(batches: AsyncIterable<LoggedEvent[]>) {
  for await (const events of batches) {
    yield events.map(({ date, action, actor, subject, organization, details }) => [
      new Moment(Date.parse(date)),
      action,
      actor?.username,
      actor?.id,
      subject?.username,
      subject?.id,
      organization,
      JSON.stringify(details),
    ])
  }
}
