import type { HomeAssignment } from '../../../contract/home.ts'
import { HomeWork } from '../../../contract/home.ts'
import type { Context } from '../../../context.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { day } from '../../../lib/durations.ts'
import { operation } from '../../../operation.ts'
import { isMember, type Member } from '../../people/organizations/policy.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import { canSee } from '../assignments/policy.ts'
import { type AssignmentRow, listAssignmentsOf } from '../assignments/store.ts'
import { type LoadedClass, visibleTo } from '../classes/policy.ts'
import { listClassesOf } from '../classes/store.ts'
import { canTeach } from './policy.ts'
import { listSubmissions, type SubmissionRow } from './store.ts'

const dueSoon = 7 * day
const returnedLately = 14 * day

export const listHomeWork = operation({
  id: 'listHomeWork',
  accepts: 'session',
  acceptsDelegated: true,
  tag: 'Class',
  summary: 'List what the user has to do in the active classes',
  responses: { 200: HomeWork },
  async handle({ ctx, actor }): Promise<HomeWork> {
    // An individual account has no classes.
    if (!isMember(actor)) return { learning: [], teaching: [] }
    const classes = await listClassesOf(ctx.db.read, actor.id, 'active')
    const seen = classes.flatMap((schoolClass) => visibleTo(actor, schoolClass) ?? [])
    const lists = await Promise.all(seen.map((loaded) => workOf(ctx, actor, loaded)))
    return {
      learning: lists.flatMap(({ learning }) => learning),
      teaching: lists.flatMap(({ teaching }) => teaching),
    }
  },
})

/** Returns the assignments of one class that the home page shows. */
async function workOf(ctx: Context, { id: viewer }: Member, loaded: LoadedClass): Promise<HomeWork> {
  const now = ctx.clock.now()
  const { schoolClass, relation } = loaded
  const all = await listAssignmentsOf(ctx.db.read, { class: schoolClass.id, viewer })
  const open = all.filter(
    (assignment) => isOpenToWork(assignment.state) && canSee({ ...loaded, assignment }, now),
  )
  const teaches = canTeach(relation)
  const submissions = await listSubmissions(
    ctx.db.read,
    { class: schoolClass.id, assignments: open.map(({ id }) => id) },
    { viewer, own: !teaches },
  )
  const of = ({ id }: AssignmentRow) => submissions.filter(({ assignment_id }) => assignment_id === id)
  const rows = open.map((assignment) => ({ assignment, works: of(assignment) }))
  const present = ({ assignment, works }: (typeof rows)[number]) =>
    presentHomeAssignment(loaded, assignment, works, teaches)
  if (teaches) {
    const shown = rows.filter(
      ({ assignment, works }) => countWaiting(works) > 0 || isWithin(assignment.due_at, now, now + dueSoon),
    )
    return { learning: [], teaching: shown.map(present) }
  }
  const shown = rows.filter(({ assignment, works: [own] }) => isForStudent(assignment, own, now))
  return { learning: shown.map(present), teaching: [] }
}

/** Whether a student has to do something with an assignment, or got the work back lately. */
function isForStudent({ type }: AssignmentRow, own: SubmissionRow | undefined, now: number): boolean {
  if (own?.state === 'turnedIn') return false
  if (own?.state === 'returned') return isWithin(own.returned_at, now - returnedLately, now)
  if (own?.state === 'graded') return isWithin(own.submitted_at, now - returnedLately, now)
  return type !== 'none'
}

const isWithin = (time: number | null, from: number, to: number): boolean =>
  time !== null && time >= from && time <= to

const countWaiting = (works: readonly SubmissionRow[]): number =>
  works.filter(({ state }) => state === 'turnedIn').length

function presentHomeAssignment(
  { schoolClass }: LoadedClass,
  assignment: AssignmentRow,
  works: readonly SubmissionRow[],
  teaches: boolean,
): HomeAssignment {
  const own = teaches ? undefined : works[0]
  return {
    class: { id: schoolClass.id, name: schoolClass.name },
    id: assignment.id,
    title: assignment.title,
    type: assignment.type,
    creationDate: dateTime(assignment.created_at),
    dueDate: assignment.due_at === null ? null : dateTime(assignment.due_at),
    state: own?.state ?? null,
    grade: own?.grade ?? null,
    maxPoints: own?.max_points ?? null,
    toReview: teaches ? countWaiting(works) : 0,
  }
}
