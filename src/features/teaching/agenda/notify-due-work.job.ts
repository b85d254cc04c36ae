import type { Context } from '../../../context.ts'
import { hour } from '../../../lib/durations.ts'
import { clockHour } from '../../../lib/zoned-time.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { job } from '../../../platform/queue/job.ts'
import { notify } from '../../people/notifications/new-notifications.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import { listExcused } from '../assignments/excuses.store.ts'
import { studentsOf } from '../assignments/notifications.ts'
import { isOpenToClass } from '../assignments/policy.ts'
import { findAnyAssignment } from '../assignments/store.ts'
import { findClass } from '../classes/store.ts'
import { listDue, listStudentsDone } from './due-work.store.ts'

const assignmentsAtATime = 100

/** Tells students, once for each assignment, of work that is due tomorrow and that they have not handed in. */
export const notifyDueWork = job({
  kind: 'notify-due-work',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const { timeZone } = ctx.config
    const now = ctx.clock.now()
    const [from, until] = [1, 2].map((day) => clockHour(now, timeZone, { day, hour: 0 })) as [number, number]
    for (let after: { due_at: number; id: string } | undefined = { due_at: from, id: '' }; after; ) {
      const due = await listDue(ctx.db.read, { after, until, limit: assignmentsAtATime })
      for (const { id } of due) {
        signal.throwIfAborted()
        await ctx.transaction((tx) => notifyOf(ctx, tx, id))
      }
      after = due[assignmentsAtATime - 1]
    }
  },
})

async function notifyOf(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const assignment = await findAnyAssignment(tx, id)
  const schoolClass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
  if (!schoolClass || !isOpenToWork(assignment.state)) return
  if (!isOpenToClass(assignment, schoolClass, ctx.clock.now())) return
  const [students, done, excused] = await Promise.all([
    studentsOf(tx, schoolClass, assignment),
    listStudentsDone(tx, id),
    listExcused(tx, [id]),
  ])
  const recipients = students.filter((student) => !done.has(student) && !excused.get(id)?.includes(student))
  const of = { class_id: schoolClass.id, assignment_id: id, submission_id: null }
  await notify(ctx, tx, { kind: 'dueTomorrow', ...of, by: null, recipients }, 'keep')
}
