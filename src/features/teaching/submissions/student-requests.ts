import type { ClassAttachmentCreation } from '../../../contract/attachments.ts'
import type { AssignmentSubmissionUpdate } from '../../../contract/submissions.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { acceptedUntil, type LatePolicy } from '../../../contract/late-policy.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { attachmentsOf, isSame } from '../assignments/attachments.ts'
import { isGroupWork, type Options } from '../assignments/content.ts'
import { shuffledExerciseIds } from '../assignments/exercise-order.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { emptyAttachment as emptyOfAssignment, listAttachments } from '../assignments/attachments.store.ts'
import { requestWebFacts } from '../assignments/web-links.ts'
import { makeWorkGroups } from '../assignments/work-groups.ts'
import { appCallerOf } from '../../library/collections/policy.ts'
import type { Contents } from '../../library/scores/contents.ts'
import {
  type Content,
  type HistoryRecord,
  applyEvents,
  saveSubmission,
  startedColumns,
} from './transitions.ts'
import { makeCopies, recomputeSubmissionGrants } from './copies.ts'
import { recordSubmissionEvents } from './events.ts'
import { studentEvents, notStarted, type LifecycleFields, type SubmissionEvent } from './lifecycle.ts'
import { notifyHandedIn, withdrawHandedIn } from './notifications.ts'
import { mergePlayback } from './playback.ts'
import { listRecordings } from './recordings.ts'
import {
  emptyAttachment,
  clearHandedInRevisions,
  listOwnedScores,
  listSubmissionAttachments,
  type NewAttachment,
  replaceSubmissionAttachments,
  setHandedInRevisions,
} from './attachments.store.ts'
import { findTurnedInScore } from './history.store.ts'
import { findAssignedGroup, findOwnSubmission, insertSubmission, type SubmissionRow } from './store.ts'
import { exercisesOf, gradeOf, gradeWorksheet, assignmentMaxPoints } from './worksheets.ts'

type Update = AssignmentSubmissionUpdate

/** Returns the group that hands in together with the student; undefined for individual work. */
async function findGroup(
  ctx: Context,
  tx: Transaction,
  { assignment, schoolClass }: LoadedAssignment,
  student: string,
): Promise<string | undefined> {
  if (!isGroupWork(assignment)) return undefined
  // The job that publishes an assignment on its date may not have run yet.
  await makeWorkGroups(ctx, tx, schoolClass, assignment)
  return findAssignedGroup(tx, { assignment: assignment.id, student })
}

/** Whether the copies for the student's submission have not been created yet. */
export async function needsCopies(
  tx: Transaction,
  { assignment }: LoadedAssignment,
  student: string,
): Promise<boolean> {
  return (await findOwnSubmission(tx, { assignment: assignment.id, student }))?.has_copies !== 1
}

/**
 * Applies a student's request to the student's submission, and creates the submission if there is none.
 * @param blank the contents of the empty score to start with, if the assignment needs one
 * @throws SUBMISSION_CLOSED, SUBMISSION_STATE_CONFLICT, PLAYBACK_EXHAUSTED, INVALID_PARAMETER, and the errors of `attachmentsOf`
 */
export async function applyStudentRequest(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  body: Update,
  blank: Contents | undefined,
): Promise<SubmissionRow> {
  const { assignment } = loaded
  const existing = await findOwnSubmission(tx, { assignment: assignment.id, student: actor.id })
  const context = { now: ctx.clock.now(), actor: actor.id, maxPoints: assignmentMaxPoints(assignment) }
  const events = studentEvents(existing?.state ?? 'none', body)
  checkIsAccepted(assignment, existing, events, context.now)
  const result = applyEvents(existing ?? notStarted, events, context)

  const submission = existing ?? (await insertNew(ctx, tx, actor, loaded, result.fields))
  const attached = await updateAttachments(ctx, tx, actor, loaded, submission, body, blank)
  const content: Content = { ...submission, ...contentColumns(body), has_copies: 1 }
  content.exercises_ids ??= orderOf(assignment, submission)
  if (body.playback) content.playback = await updatedPlayback(tx, loaded, submission, body.playback)
  const graded = body.submit ? autoGrade(ctx, loaded, result.fields, content) : undefined
  const history = [...result.history, ...(graded?.history ?? [])]
  if (body.submit) await setHandedInRevisions(tx, submission.id)
  if (events.some(({ type }) => type === 'reclaim')) {
    await clearHandedInRevisions(tx, submission.id)
    await withdrawHandedIn(tx, submission)
  }
  const turnedIn = body.submit ? await findTurnedInScore(tx, submission.id) : undefined
  if (attached) await recomputeSubmissionGrants(ctx, tx, loaded, submission, actor.id)
  if (body.submit) await notifyHandedIn(ctx, tx, loaded.schoolClass, submission, actor.id)
  await recordSubmissionEvents(ctx, tx, loaded.schoolClass, submission, { events, actor: actor.id })
  const outcome = { fields: graded?.fields ?? result.fields, history }
  return saveSubmission(ctx, tx, submission, assignment, outcome, content, turnedIn)
}

/**
 * Checks that work can still be handed in, or taken back to be handed in again. Work that a teacher has graded or returned can be
 * handed in again at any time.
 * @throws SUBMISSION_CLOSED
 */
function checkIsAccepted(
  { due_at, late_policy }: LoadedAssignment['assignment'],
  existing: SubmissionRow | undefined,
  events: readonly SubmissionEvent[],
  now: number,
): void {
  if (due_at === null || late_policy === null) return
  if (!events.some(({ type }) => type === 'submit' || type === 'reclaim')) return
  if (existing?.state === 'graded' || existing?.state === 'returned') return
  const until = acceptedUntil(due_at, JSON.parse(late_policy) as LatePolicy)
  if (until !== undefined && now > until) fail('SUBMISSION_CLOSED')
}

/** Inserts a new submission without attachments. */
async function insertNew(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  fields: LifecycleFields,
): Promise<SubmissionRow> {
  const { assignment } = loaded
  const group_id = (await findGroup(ctx, tx, loaded, actor.id)) ?? null
  const row = {
    id: ctx.newId(),
    assignment_id: assignment.id,
    class_id: assignment.class_id,
    creator_id: actor.id,
    group_id,
    holder_id: group_id ?? actor.id,
    ...startedColumns(fields),
    exercises_ids: null,
    answers: null,
    playback: '[]',
    has_copies: 0,
    last_event: 0,
    last_comment: 0,
    created_at: ctx.clock.now(),
  } as const
  await insertSubmission(tx, row)
  return { ...row, due_at: assignment.due_at, is_excused: 0, is_own: 1 }
}

/** Returns the order of shuffled exercises; null unless the assignment is a worksheet that shuffles them. */
function orderOf(assignment: LoadedAssignment['assignment'], { holder_id }: SubmissionRow): string | null {
  const ids = exercisesOf(assignment) && shuffledExerciseIds(assignment, holder_id)
  return ids ? JSON.stringify(ids) : null
}

/** The maximum length of the stored JSON of each field, in characters. */
const maxLength = { answers: 32 * 1024, exercisesIds: 16 * 1024 } as const

/**
 * Returns the columns for the answers and exercises of a body.
 * @throws INVALID_PARAMETER when a field is too long
 */
function contentColumns({ answers, exercisesIds }: Update): Partial<Content> {
  const json = (name: keyof typeof maxLength, value: unknown) => {
    const text = JSON.stringify(value)
    if (text.length <= maxLength[name]) return text
    return fail('INVALID_PARAMETER', {
      param: name,
      message: `\`${name}\` exceeds the maximum length.`,
    })
  }
  return {
    ...(answers && { answers: json('answers', answers) }),
    ...(exercisesIds !== undefined && { exercises_ids: exercisesIds && json('exercisesIds', exercisesIds) }),
  }
}

async function updatedPlayback(
  tx: Transaction,
  { assignment }: LoadedAssignment,
  { id, playback }: SubmissionRow,
  more: NonNullable<Update['playback']>,
): Promise<string> {
  const [ofAssignment, own] = await Promise.all([
    listAttachments(tx, [assignment.id]),
    listSubmissionAttachments(tx, [id]),
  ])
  const seen = (ofAssignment.get(assignment.id) ?? []).filter(({ teacher_only }) => !teacher_only)
  const scores = new Set([...seen, ...(own.get(id) ?? [])].flatMap(({ score_id }) => score_id ?? []))
  const { nbPlaybackAuthorized }: Options = JSON.parse(assignment.options)
  return JSON.stringify(mergePlayback(JSON.parse(playback), more, scores, nbPlaybackAuthorized))
}

/**
 * Grades a worksheet that is handed in: with a grade if the assignment releases grades automatically,
 * otherwise with a draft.
 */
function autoGrade(
  { clock }: Context,
  { assignment }: LoadedAssignment,
  fields: LifecycleFields,
  { answers }: Content,
): { fields: LifecycleFields; history: HistoryRecord[] } | undefined {
  const exercises = exercisesOf(assignment)
  if (!exercises) return undefined
  const score = gradeWorksheet(exercises, answers === null ? [] : JSON.parse(answers))
  const { grade, maxPoints } = gradeOf(score, assignment.max_points)
  // Only a teacher may change a grade that a teacher gave.
  const isTeachers = fields.grade !== null && fields.graded_automatically === 0
  const event =
    assignment.release_grades === 'auto' && !isTeachers
      ? ({ type: 'grade', grade } as const)
      : ({ type: 'draftGrade', draftGrade: grade } as const)
  return applyEvents(fields, [event], { now: clock.now(), actor: undefined, maxPoints })
}

/** Updates the attachments of a submission. Returns whether they were rewritten. */
async function updateAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  submission: SubmissionRow,
  body: Update,
  blank: Contents | undefined,
): Promise<boolean> {
  const { id, has_copies } = submission
  const takesTracks = body.submit === true && loaded.assignment.type === 'performance'
  if (has_copies && !body.attachments && !takesTracks) return false
  const known = (await listSubmissionAttachments(tx, [id])).get(id) ?? []
  const isCreated = ({ dedicated, track_id }: NewAttachment) => dedicated === 1 || track_id !== null
  const copies = has_copies
    ? known.filter(({ dedicated }) => dedicated)
    : await makeCopies(ctx, tx, appCallerOf(actor), loaded, blank)
  const added = body.attachments
    ? await studentAttachments(ctx, tx, actor, body.attachments, known)
    : known.filter((attachment) => !isCreated(attachment))
  const tracks = takesTracks
    ? await recordingAttachments(tx, loaded, submission)
    : known.filter(({ track_id }) => track_id !== null)
  // Clients send copies and recordings back in the list of attachments.
  const createdScores = new Set([...copies, ...tracks].map(({ score_id }) => score_id))
  const all = [
    ...copies,
    ...tracks,
    ...added.filter(({ score_id }) => score_id === null || !createdScores.has(score_id)),
  ]
  await replaceSubmissionAttachments(tx, id, all)
  return true
}

/**
 * Returns the rows of the student's own attachments. An attachment that exists already keeps `by_owner` and
 * the revision that was handed in.
 */
async function studentAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  creations: NonNullable<Update['attachments']>,
  known: readonly NewAttachment[],
): Promise<NewAttachment[]> {
  const attachments = await attachmentsOf(
    tx,
    actor,
    creations.map((creation) => withoutHandedInRevision(creation, known)),
    known.map((attachment) => ({ ...emptyOfAssignment, ...attachment })),
  )
  await requestWebFacts(
    ctx,
    tx,
    actor,
    attachments.flatMap(({ url }) => url ?? []),
  )
  const own = await listOwnedScores(tx, attachments, actor.id)
  return attachments.map((attachment) => {
    const before = known.find(
      (row) => row.dedicated === 0 && row.track_id === null && isSame(row, attachment),
    )
    return {
      ...emptyAttachment,
      ...attachment,
      by_owner: before?.by_owner ?? (own.has(attachment.score_id) ? 1 : 0),
      handed_in_revision_id: before?.handed_in_revision_id ?? null,
    }
  })
}

/**
 * Clients send attachments back with the revision that was handed in. That revision must not become a fixed
 * revision of the next hand-in.
 */
function withoutHandedInRevision(
  creation: ClassAttachmentCreation,
  known: readonly NewAttachment[],
): ClassAttachmentCreation {
  const isKnown = known.some(
    ({ score_id, part_uuid, revision_id, handed_in_revision_id }) =>
      score_id === creation.score &&
      part_uuid === (creation.partUuid ?? null) &&
      revision_id === null &&
      handed_in_revision_id === creation.revision,
  )
  return isKnown ? { ...creation, revision: undefined } : creation
}

/** Returns attachments for the students' recordings of the scores to perform. */
async function recordingAttachments(
  tx: Transaction,
  loaded: LoadedAssignment,
  submission: SubmissionRow,
): Promise<NewAttachment[]> {
  const recordings = await listRecordings(tx, loaded, submission)
  return recordings.map(({ id: track_id, score_id }) => ({
    ...emptyAttachment,
    score_id,
    sharing_mode: 'performance',
    track_id,
  }))
}
