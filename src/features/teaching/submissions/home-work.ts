import type { HomeAssignment, HomeWork } from '../../../contract/home.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { day } from '../../../lib/durations.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { canSee } from '../assignments/policy.ts'
import { listExcusedOf } from '../assignments/excuses.store.ts'
import { type HomeAssignmentRow, listOpenAssignments } from '../assignments/store.ts'
import { type LoadedClass, visibleTo } from '../classes/policy.ts'
import { listClassesOf } from '../classes/store.ts'
import { canTeach } from './policy.ts'
import { countTurnedIn, listOwnSubmissions, type SubmissionRow } from './store.ts'

const dueSoon = 7 * day
const returnedLately = 14 * day

/** An open assignment with its class and the viewer's relation to it. */
interface OpenAssignment extends LoadedClass {
  assignment: HomeAssignmentRow
}

/** Returns what the home page shows a member, in five queries for any number of classes. */
export async function homeWorkOf(queries: Queries, actor: Member, now: number): Promise<HomeWork> {
  const open = await listOpen(queries, actor, now)
  const taught = open.filter(({ relation }) => canTeach(relation))
  const learned = open.filter(({ relation }) => !canTeach(relation))
  const [waiting, excused, own] = await Promise.all([
    countTurnedIn(queries, taught.map(idOf)),
    listExcusedOf(queries, actor.id),
    listOwnSubmissions(queries, { assignments: learned.map(idOf), student: actor.id }),
  ])
  const ownOf = new Map(own.map((submission) => [submission.assignment_id, submission]))
  const waitingFor = (one: OpenAssignment) => waiting.get(idOf(one)) ?? 0
  return {
    learning: learned
      .filter((one) => !excused.has(idOf(one)))
      .filter((one) => isForStudent(one.assignment, ownOf.get(idOf(one)), now))
      .map((one) => present(one, { own: ownOf.get(idOf(one)), toReview: 0 })),
    teaching: taught
      .filter((one) => waitingFor(one) > 0 || isWithin(one.assignment.due_at, now, now + dueSoon))
      .map((one) => present(one, { own: undefined, toReview: waitingFor(one) })),
  }
}

const idOf = ({ assignment }: OpenAssignment): string => assignment.id

/** Returns the open assignments that a member can see, of the newest class first. */
export async function listOpen(queries: Queries, actor: Member, now: number): Promise<OpenAssignment[]> {
  const classes = await listClassesOf(queries, actor.id, 'active')
  const seen = classes.flatMap((schoolClass) => visibleTo(actor, schoolClass) ?? [])
  const rows = await listOpenAssignments(queries, {
    classes: seen.map(({ schoolClass }) => schoolClass.id),
    viewer: actor.id,
  })
  const byClass = Map.groupBy(rows, ({ class_id }) => class_id)
  return seen
    .flatMap((loaded) =>
      (byClass.get(loaded.schoolClass.id) ?? []).map((assignment) => ({ ...loaded, assignment })),
    )
    .filter((one) => canSee(one, now))
}

/** Whether a student has to do something with an assignment, or got the work back lately. */
function isForStudent({ type }: HomeAssignmentRow, own: SubmissionRow | undefined, now: number): boolean {
  if (own?.state === 'turnedIn') return false
  if (own?.state === 'returned') return isWithin(own.returned_at, now - returnedLately, now)
  if (own?.state === 'graded') return isWithin(own.submitted_at, now - returnedLately, now)
  return type !== 'none'
}

const isWithin = (time: number | null, from: number, to: number): boolean =>
  time !== null && time >= from && time <= to

function present(
  { schoolClass, assignment }: OpenAssignment,
  { own, toReview }: { own: SubmissionRow | undefined; toReview: number },
): HomeAssignment {
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
    toReview,
  }
}
