import type { Notification, Notifications } from '../../../contract/notifications.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { canSee } from '../assignments/policy.ts'
import { relationOf } from '../classes/policy.ts'
import { canTeach } from '../submissions/policy.ts'
import { listOwnSubmissions } from '../submissions/store.ts'
import { listNotificationRows, type NotificationRow } from './store.ts'

/** The largest number of unread notifications that is counted. */
const mostUnread = 100
/** The largest number of notifications of one mail. */
const mostMailed = 200
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

/** A notification for a mail. */
export type DigestRow = NotificationRow & {
  /** Whether the reader teaches the class. */
  isTaught: boolean
}

/**
 * Returns the unread notifications of a reader that a mail tells, newest first, and the id of the newest one that was considered.
 * Work that is not due any more, or that was handed in meanwhile, is left out.
 * @param after only notifications with greater ids
 * @param from only notifications of later times, in milliseconds since 1970
 * @param until only notifications of this time or earlier
 */
export async function listDigestRows(
  queries: Queries,
  reader: Member,
  now: number,
  { after, from, until }: { after: string; from: number; until: number },
): Promise<{ rows: DigestRow[]; newest: string | undefined }> {
  const by = { viewer: reader.id, organization: reader.organization, before: end, limit: mostMailed }
  const all = await listNotificationRows(queries, { ...by, onlyUnread: true })
  const recent = all.filter(({ id, created_at }) => id > after && created_at > from && created_at <= until)
  const visible = recent.filter((row) => isVisibleTo(reader, row, now))
  const due = visible.filter(({ kind }) => kind === 'dueTomorrow').map(({ assignment_id }) => assignment_id)
  const own = await listOwnSubmissions(queries, { assignments: due, student: reader.id })
  const done = new Set(own.filter(({ state }) => state !== 'created').map((one) => one.assignment_id))
  const isStillDue = ({ due_at, assignment_id }: NotificationRow) =>
    due_at !== null && due_at > now && !done.has(assignment_id)
  const rows = visible
    .filter((row) => row.kind !== 'dueTomorrow' || isStillDue(row))
    .map((row) => ({ ...row, isTaught: teaches(reader, row) }))
  return { rows, newest: recent[0]?.id }
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
