import type { ClassAttachmentCreation } from '../../contract/attachments.ts'
import type { AssignmentSubmissionUpdate } from '../../contract/submissions.ts'
import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { attachmentsOf, isSame } from '../assignments/attachments.ts'
import type { Options } from '../assignments/content.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { emptyAttachment as emptyOfAssignment, listAttachments } from '../assignments/attached.ts'
import { askForFacts } from '../assignments/web-links.ts'
import { placingOf } from '../collections/policy.ts'
import { listSubGroups } from '../groups/store.ts'
import type { Contents } from '../scores/contents.ts'
import { type Content, type Happened, runThrough, saveSubmission, stored } from './changes.ts'
import { makeCopies, settleSubmissionAccess } from './copies.ts'
import { asStudent, noWork, type Work } from './lifecycle.ts'
import { playedAfter } from './playback.ts'
import { listRecordings } from './recordings.ts'
import {
  emptyAttachment,
  clearHandedIn,
  listOwnAmong,
  listSubmissionAttachments,
  type NewAttachment,
  replaceSubmissionAttachments,
  updateHandedIn,
} from './attached.ts'
import { findTurnedIn } from './history.ts'
import { findNamedGroup, findOwnSubmission, insertSubmission, type SubmissionRow } from './store.ts'
import { exercisesOf, gradeOf, gradeWorksheet, pointsOf } from './worksheets.ts'

type Update = AssignmentSubmissionUpdate

/** Whose work on an assignment that of a student is: the group's, where groups hand in. */
async function findGroup(
  tx: Transaction,
  { assignment, klass }: LoadedAssignment,
  student: string,
): Promise<string | undefined> {
  const isShared = assignment.type === 'sharedWriting'
  if (!isShared && assignment.students_mode === 'single') return undefined
  const named = await findNamedGroup(tx, { assignment: assignment.id, student })
  // Who is named alone works alone: the others of a group may not even know of the work.
  if (named || assignment.assignee_mode !== 'everyone') return named
  if (isShared) return klass.students_group_id
  const groups = await listSubGroups(tx, { classId: klass.id, member: student })
  const [oldest] = groups.map(({ id }) => id).sort()
  return oldest
}

/** Whether a student still has to be given the scores that one works in. */
export async function needsCopies(
  tx: Transaction,
  { assignment }: LoadedAssignment,
  student: string,
): Promise<boolean> {
  return (await findOwnSubmission(tx, { assignment: assignment.id, student }))?.has_copies !== 1
}

/**
 * Does to the submission of a student what the student's body asks for, and begins it where there is none.
 * @param blank the empty score to begin with, where one is needed
 * @throws SUBMISSION_STATE_CONFLICT, PLAYBACK_EXHAUSTED, INVALID_PARAMETER, and as `attachmentsOf` does
 */
export async function workOn(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  body: Update,
  blank: Contents | undefined,
): Promise<SubmissionRow> {
  const { assignment } = loaded
  const found = await findOwnSubmission(tx, { assignment: assignment.id, student: actor.id })
  const circumstances = { now: ctx.clock.now(), actor: actor.id, maxPoints: pointsOf(assignment) }
  const happenings = asStudent(found?.state ?? 'none', body)
  const asked = runThrough(found ?? noWork, happenings, circumstances)

  const begun = found ?? (await begin(ctx, tx, actor, loaded, asked.work))
  const attached = await attach(ctx, tx, actor, loaded, begun, body, blank)
  const content: Content = { ...begun, ...said(body), has_copies: 1 }
  if (body.playback) content.playback = await played(tx, loaded, begun, body.playback)
  const graded = body.submit ? gradedByItself(ctx, loaded, asked.work, content) : undefined
  const happened = [...asked.happened, ...(graded?.happened ?? [])]
  if (body.submit) await updateHandedIn(tx, begun.id)
  if (happenings.some(({ event }) => event === 'reclaim')) await clearHandedIn(tx, begun.id)
  const turnedIn = body.submit ? await findTurnedIn(tx, begun.id) : undefined
  if (attached) await settleSubmissionAccess(ctx, tx, loaded, begun, actor.id)
  const outcome = { work: graded?.work ?? asked.work, happened }
  return saveSubmission(ctx, tx, begun, assignment, outcome, content, turnedIn)
}

/** Writes a submission that nobody has begun, as far as that is all. */
async function begin(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  work: Work,
): Promise<SubmissionRow> {
  const { assignment } = loaded
  const group_id = (await findGroup(tx, loaded, actor.id)) ?? null
  const row = {
    id: ctx.newId(),
    assignment_id: assignment.id,
    class_id: assignment.class_id,
    creator_id: actor.id,
    group_id,
    holder_id: group_id ?? actor.id,
    ...stored(work),
    exercises_ids: null,
    answers: null,
    playback: '[]',
    has_copies: 0,
    last_event: 0,
    last_comment: 0,
    created_at: ctx.clock.now(),
  } as const
  await insertSubmission(tx, row)
  return { ...row, due_at: assignment.due_at, is_own: 1 }
}

/** The most that a submission keeps of what was answered, and of which exercises there were, in characters of JSON. */
const longest = { answers: 32 * 1024, exercisesIds: 16 * 1024 } as const

/** What a body says of the exercises. @throws INVALID_PARAMETER where that is too much to be kept */
function said({ answers, exercisesIds }: Update): Partial<Content> {
  const json = (name: keyof typeof longest, value: unknown) => {
    const text = JSON.stringify(value)
    if (text.length <= longest[name]) return text
    return fail('INVALID_PARAMETER', { param: name, message: `\`${name}\` is longer than a submission may have it.` })
  }
  return {
    ...(answers && { answers: json('answers', answers) }),
    ...(exercisesIds !== undefined && { exercises_ids: exercisesIds && json('exercisesIds', exercisesIds) }),
  }
}

async function played(
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
  return JSON.stringify(playedAfter(JSON.parse(playback), more, scores, nbPlaybackAuthorized))
}

/** Gives a worksheet that is handed in its grade: at once, or as a draft for the teacher. */
function gradedByItself(
  { clock }: Context,
  { assignment }: LoadedAssignment,
  work: Work,
  { answers }: Content,
): { work: Work; happened: Happened[] } | undefined {
  const exercises = exercisesOf(assignment)
  if (!exercises) return undefined
  const score = gradeWorksheet(exercises, answers === null ? [] : JSON.parse(answers))
  const { grade, maxPoints } = gradeOf(score, assignment.max_points)
  // What a teacher has decided, nothing but a teacher changes.
  const isTeachers = work.grade !== null && work.graded_by_itself === 0
  const happening =
    assignment.release_grades === 'auto' && !isTeachers
      ? ({ event: 'grade', grade } as const)
      : ({ event: 'draftGrade', draftGrade: grade } as const)
  return runThrough(work, [happening], { now: clock.now(), actor: undefined, maxPoints })
}

/** Brings the attachments of a submission up to date. Whether there was something to do. */
async function attach(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedAssignment,
  begun: SubmissionRow,
  body: Update,
  blank: Contents | undefined,
): Promise<boolean> {
  const { id, has_copies } = begun
  const takesTracks = body.submit === true && loaded.assignment.type === 'performance'
  if (has_copies && !body.attachments && !takesTracks) return false
  const known = (await listSubmissionAttachments(tx, [id])).get(id) ?? []
  const isMade = ({ dedicated, track_id }: NewAttachment) => dedicated === 1 || track_id !== null
  const copies = has_copies
    ? known.filter(({ dedicated }) => dedicated)
    : await makeCopies(ctx, tx, placingOf(actor), loaded, blank)
  const added = body.attachments
    ? await addedBy(ctx, tx, actor, body.attachments, known)
    : known.filter((attachment) => !isMade(attachment))
  const tracks = takesTracks ? await tracksOf(tx, loaded, begun) : known.filter(({ track_id }) => track_id !== null)
  // Clients send back what they were given.
  const made = new Set([...copies, ...tracks].map(({ score_id }) => score_id))
  const all = [...copies, ...tracks, ...added.filter(({ score_id }) => score_id === null || !made.has(score_id))]
  await replaceSubmissionAttachments(tx, id, all)
  return true
}

/** What a student attaches. Of what is attached already it stays known whether its owner did so, and what was handed in. */
async function addedBy(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  creations: NonNullable<Update['attachments']>,
  known: readonly NewAttachment[],
): Promise<NewAttachment[]> {
  const attachments = await attachmentsOf(
    tx,
    actor,
    creations.map((creation) => asItWas(creation, known)),
    known.map((attachment) => ({ ...emptyOfAssignment, ...attachment })),
  )
  await askForFacts(
    ctx,
    tx,
    attachments.flatMap(({ url }) => url ?? []),
  )
  const own = await listOwnAmong(tx, attachments, actor.id)
  return attachments.map((attachment) => {
    const before = known.find((row) => row.dedicated === 0 && row.track_id === null && isSame(row, attachment))
    return {
      ...emptyAttachment,
      ...attachment,
      by_owner: before?.by_owner ?? (own.has(attachment.score_id) ? 1 : 0),
      handed_in_revision_id: before?.handed_in_revision_id ?? null,
    }
  })
}

/** Clients send back what they were given: the revision that was handed in names none for what is handed in next. */
function asItWas(creation: ClassAttachmentCreation, known: readonly NewAttachment[]): ClassAttachmentCreation {
  const isKnown = known.some(
    ({ score_id, part_uuid, revision_id, handed_in_revision_id }) =>
      score_id === creation.score &&
      part_uuid === (creation.partUuid ?? null) &&
      revision_id === null &&
      handed_in_revision_id === creation.revision,
  )
  return isKnown ? { ...creation, revision: undefined } : creation
}

/** How the students of a submission play the scores that are to be played. */
async function tracksOf(tx: Transaction, loaded: LoadedAssignment, begun: SubmissionRow): Promise<NewAttachment[]> {
  const recordings = await listRecordings(tx, loaded, begun)
  return recordings.map(({ id: track_id, score_id }) => ({
    ...emptyAttachment,
    score_id,
    sharing_mode: 'performance',
    track_id,
  }))
}
