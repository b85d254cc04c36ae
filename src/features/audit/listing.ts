import type { Queries } from '../../db/database.ts'
import type { AuditEventsTable } from '../../db/tables.ts'
import { dateTime } from '../../lib/date-time.ts'
import { Moment, type Table } from '../../lib/spreadsheet.ts'
import { type EventFilter, listEvents, listUsernames } from './store.ts'

/** An account, or a thing that has no username; nor has an account that is gone. */
interface Named {
  id: string
  username?: string
}

/** An event as it is shown: what accounts are called now stands beside their ids. */
export interface LoggedEvent {
  id: string
  /** RFC 3339. */
  date: string
  action: string
  organization?: string
  /** Not there for the command line, the server by itself, and who nobody knows. */
  actor?: Named
  subject?: Named
  details: Readonly<Record<string, unknown>>
}

/** Which events are read, and by whom. */
export interface Reading extends EventFilter {
  /** Only its accounts are told by name: what somebody who has left is called now is for others to know. Else all are. */
  namesOf?: string | undefined
}

/** So many events are in memory at a time. */
const portionSize = 500

/** Events as they are shown, with the names of accounts looked up for all of them at once. */
async function presentEvents(
  queries: Queries,
  events: readonly AuditEventsTable[],
  { namesOf }: Reading,
): Promise<LoggedEvent[]> {
  const ids = new Set(events.flatMap(({ actor_id, subject_id }) => [actor_id ?? [], subject_id ?? []].flat()))
  const usernames = await listUsernames(queries, [...ids], namesOf)
  const named = (id: string): Named => {
    const username = usernames.get(id)
    return username === undefined ? { id } : { id, username }
  }
  return events.map(({ id, created_at, action, organization_id, actor_id, subject_id, details }) => ({
    id,
    date: dateTime(created_at),
    action,
    ...(organization_id !== null && { organization: organization_id }),
    ...(actor_id !== null && { actor: named(actor_id) }),
    ...(subject_id !== null && { subject: named(subject_id) }),
    details: JSON.parse(details),
  }))
}

/** A page of the events that the filter names, the newest first, and after which event the next page begins. */
export async function listNewest(
  queries: Queries,
  filter: Reading,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ events: LoggedEvent[]; next: string | undefined }> {
  const rows = await listEvents(queries, filter, { direction: 'desc', after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { events: await presentEvents(queries, page, filter), next: rows.length > limit ? page.at(-1)?.id : undefined }
}

/** All events that the filter names, the oldest first, in portions. */
export async function* readEvents(queries: Queries, filter: Reading): AsyncGenerator<LoggedEvent[]> {
  let after: string | undefined
  for (;;) {
    const rows = await listEvents(queries, filter, { direction: 'asc', after, limit: portionSize })
    if (rows.length > 0) yield presentEvents(queries, rows, filter)
    if (rows.length < portionSize) return
    after = rows.at(-1)?.id
  }
}

/** The same as a table. Of its columns, details are a JSON object. */
export function eventTable(queries: Queries, filter: Reading): Table {
  const columns = ['Date', 'Action', 'Actor', 'Actor id', 'Subject', 'Subject id', 'Organization', 'Details']
  return { columns, rows: rowsOf(readEvents(queries, filter)) }
}

async function* rowsOf(portions: AsyncIterable<LoggedEvent[]>) {
  for await (const events of portions) {
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
