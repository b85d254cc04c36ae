import type { Event } from '../../../contract/events.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { EventsTable } from '../../../platform/db/event-tables.ts'
import type { EventObjects } from './events.ts'

/** @param publicUrl the public address of the server */
export function presentEvent(
  { id, type, created_at, actor_id, objects: stored }: EventsTable,
  publicUrl: string,
): Event {
  const objects: EventObjects = JSON.parse(stored)
  const path = pathOf(objects)
  return {
    id,
    type,
    timestamp: dateTime(created_at),
    data: { actor: actor_id, ...(path !== undefined && { url: `${publicUrl}/v2${path}` }), ...objects },
  }
}

/** Returns the path at which the interface has the object that an event is about. */
function pathOf({
  score,
  class: schoolClass,
  assignment,
  submission,
  user,
}: EventObjects): string | undefined {
  if (score) return `/scores/${score}`
  if (submission) return `/classes/${schoolClass}/assignments/${assignment}/submissions/${submission}`
  if (assignment) return `/classes/${schoolClass}/assignments/${assignment}`
  if (schoolClass) return `/classes/${schoolClass}`
  return user && `/users/${user}`
}
