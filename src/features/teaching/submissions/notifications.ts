import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { deleteNotificationsAbout } from '../../people/notifications/store.ts'
import { notify } from '../../people/notifications/new-notifications.ts'
import { listGroupMembers } from '../assignments/assignees.store.ts'
import type { ClassRow } from '../classes/store.ts'
import type { SubmissionRow } from './store.ts'

type Of = Pick<SubmissionRow, 'id' | 'assignment_id' | 'class_id' | 'creator_id' | 'group_id'>

/** Returns the students of a submission. */
async function studentsOf(tx: Transaction, { creator_id, group_id }: Of): Promise<string[]> {
  if (group_id === null) return [creator_id]
  return (await listGroupMembers(tx, [group_id])).map(({ user_id }) => user_id)
}

const teachersOf = async (tx: Transaction, { teachers_group_id }: ClassRow): Promise<string[]> =>
  (await listGroupMembers(tx, [teachers_group_id])).map(({ user_id }) => user_id)

const eventOn = ({ id, assignment_id, class_id }: Of) => ({ class_id, assignment_id, submission_id: id })

type Services = Pick<Context, 'newId' | 'clock'>

/** Tells the teachers of the class that work was handed in. */
export async function notifyHandedIn(
  ctx: Services,
  tx: Transaction,
  schoolClass: ClassRow,
  submission: Of,
  by: string,
): Promise<void> {
  const recipients = await teachersOf(tx, schoolClass)
  await notify(ctx, tx, { kind: 'handedIn', ...eventOn(submission), by, recipients })
}

/** Withdraws what the teachers were told, because the student took the work back. */
export const withdrawHandedIn = (tx: Transaction, submission: Of): Promise<void> =>
  deleteNotificationsAbout(tx, { submission: submission.id, kind: 'handedIn' })

/** Tells the students of a submission that it was returned. */
export async function notifyReturned(
  ctx: Services,
  tx: Transaction,
  submission: Of,
  by: string,
): Promise<void> {
  const recipients = await studentsOf(tx, submission)
  await notify(ctx, tx, { kind: 'returned', ...eventOn(submission), by, recipients })
}

/** Tells the students of a submission about a comment and, if a student wrote it, the teachers of the class. */
export async function notifyCommented(
  ctx: Services,
  tx: Transaction,
  schoolClass: ClassRow,
  submission: Of & Pick<SubmissionRow, 'is_own'>,
  by: string,
): Promise<void> {
  const recipients = await studentsOf(tx, submission)
  if (submission.is_own) recipients.push(...(await teachersOf(tx, schoolClass)))
  await notify(ctx, tx, { kind: 'commented', ...eventOn(submission), by, recipients })
}
