import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { isAssignedTo } from '../assignments/assignees.store.ts'
import { roleInClass } from '../classes/store.ts'
import { isStudentOf } from '../submissions/store.ts'

interface ListParams {
  viewer: string
  /** The organization of the viewer. */
  organization: string
  /** Only notifications with smaller ids. */
  before: string
  limit: number
}

const selectNotifications = (isUnread: boolean) =>
  compiled((db, p: Params<ListParams>) => {
    return db
      .selectFrom('notifications')
      .innerJoin('assignments', 'assignments.id', 'notifications.assignment_id')
      .innerJoin('classes', 'classes.id', 'notifications.class_id')
      .leftJoin('submissions', 'submissions.id', 'notifications.submission_id')
      .leftJoin('users as actors', 'actors.id', 'notifications.actor_id')
      .where('notifications.user_id', '=', p('viewer'))
      .where('notifications.id', '<', p('before'))
      .$if(isUnread, (query) => query.where('notifications.read_at', 'is', null))
      .where('classes.organization_id', '=', p('organization'))
      .select(['notifications.id', 'notifications.kind', 'notifications.submission_id'])
      .select(['notifications.created_at', 'notifications.read_at'])
      .select(['classes.id as class_id', 'classes.name as class_name', 'classes.state as class_state'])
      .select(['assignments.id as assignment_id', 'assignments.title', 'assignments.state'])
      .select('assignments.due_at')
      .select(['assignments.published_at', 'assignments.scheduled_at', 'assignments.assignee_mode'])
      .select([isAssignedTo(p('viewer')).as('names_viewer'), isStudentOf(p('viewer')).as('is_own')])
      .select(['actors.username', 'actors.firstname', 'actors.lastname'])
      .select(['actors.organization_id as actor_organization', 'actors.deletion_at as actor_deletion'])
      .select(roleInClass(p('viewer')).as('viewer_role'))
      .orderBy('notifications.id', 'desc')
      .limit(p('limit'))
  })

const all = selectNotifications(false)
const unread = selectNotifications(true)

/** A notification with the columns that decide whether its recipient can still see the work. */
export type NotificationRow = Awaited<ReturnType<typeof all>>[number]

/** Returns notifications of a user, newest first, without a check of what the user can see. */
export async function listNotificationRows(
  queries: Queries,
  { onlyUnread, ...by }: ListParams & { onlyUnread: boolean },
): Promise<NotificationRow[]> {
  return onlyUnread ? unread(queries, by) : all(queries, by)
}
