import type { Notification, Notifications } from '../../../contract/notifications.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { canSee } from '../assignments/policy.ts'
import { relationOf } from '../classes/policy.ts'
import { canTeach } from '../submissions/policy.ts'
import { listNotificationRows, type NotificationRow } from './store.ts'

/** The largest number of unread notifications that is counted. */
const mostUnread = 100
/** After every id. */
const end = 'g'

const teaches = (viewer: Member, row: NotificationRow): boolean => canTeach(relationOf(viewer, row))

/**
 * Whether the recipient is still in the class, and can see the assignment and the submission. An administrator who has left
 * the class is not concerned any more.
 */
function isVisibleTo(viewer: Member, row: NotificationRow, now: number): boolean {
  const relation = relationOf(viewer, row)
  if (relation.role === undefined) return false
  const seen = canSee({ assignment: row, schoolClass: { state: row.class_state }, relation }, now)
  return seen && (row.submission_id === null || teaches(viewer, row) || row.is_own === 1)
}

interface ListOptions {
  before?: string | undefined
  limit: number
  onlyUnread: boolean
}

/** Returns the notifications of a page that the viewer can see, and the cursor of the next page. */
async function listVisible(
  queries: Queries,
  viewer: Member,
  now: number,
  { before = end, limit, onlyUnread }: ListOptions,
): Promise<{ rows: NotificationRow[]; next: string | null }> {
  const by = { viewer: viewer.id, organization: viewer.organization, before, limit: limit + 1, onlyUnread }
  const rows = limit > 0 ? await listNotificationRows(queries, by) : []
  const page = rows.slice(0, limit)
  return {
    rows: page.filter((row) => isVisibleTo(viewer, row, now)),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Returns a page of the notifications of a member, and how many are unread. */
export async function notificationsOf(
  queries: Queries,
  viewer: Member,
  now: number,
  page: Omit<ListOptions, 'onlyUnread'>,
): Promise<Notifications> {
  const [{ rows, next }, unread] = await Promise.all([
    listVisible(queries, viewer, now, { ...page, onlyUnread: false }),
    listVisible(queries, viewer, now, { limit: mostUnread, onlyUnread: true }),
  ])
  return { notifications: rows.map((row) => present(viewer, row)), unread: unread.rows.length, next }
}

function present(viewer: Member, row: NotificationRow): Notification {
  return {
    id: row.id,
    kind: row.kind,
    date: dateTime(row.created_at),
    isRead: row.read_at !== null,
    class: { id: row.class_id, name: row.class_name },
    assignment: { id: row.assignment_id, title: row.title },
    teaches: teaches(viewer, row),
    by: actorName(viewer, row),
  }
}

/** The name of the person who caused the event, as the other pages of the class show it. */
function actorName(viewer: Member, row: NotificationRow): string | null {
  const isPresent = row.actor_organization === viewer.organization && row.actor_deletion === null
  return isPresent ? [row.firstname, row.lastname].filter(Boolean).join(' ') || row.username : null
}
