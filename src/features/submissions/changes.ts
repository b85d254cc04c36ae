import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import type { AssignmentRow } from '../assignments/store.ts'
import { type Circumstances, type Happening, happen, type Trace, type Work } from './lifecycle.ts'
import { insertHistory } from './history.ts'
import { type SubmissionChange, type SubmissionRow, updateSubmission } from './store.ts'

/** A row of the history before it is written. */
export interface Happened {
  /** Who did it; nobody where it followed by itself. */
  users: readonly string[]
  trace: Trace
}

/** What comes of several events, one after another. @throws SUBMISSION_STATE_CONFLICT where one of them cannot happen */
export function runThrough(
  begun: Work,
  happenings: readonly Happening[],
  circumstances: Circumstances,
): { work: Work; happened: Happened[] } {
  let work = begun
  const happened: Happened[] = []
  const users = circumstances.actor === undefined ? [] : [circumstances.actor]
  for (const happening of happenings) {
    const came = happen(work, happening, circumstances)
    if (!came) fail('SUBMISSION_STATE_CONFLICT')
    work = came.work
    if (came.trace) happened.push({ users, trace: came.trace })
  }
  return { work, happened }
}

/** The score that was turned in. */
export type TurnedIn = { score_id: string; revision_id: string; title: string }

/** Writes what happened to a submission, after the rows that are there. */
async function writeHistory(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  { id, last_event }: Pick<SubmissionRow, 'id' | 'last_event'>,
  { due_at }: Pick<AssignmentRow, 'due_at'>,
  happened: readonly Happened[],
  turnedIn?: TurnedIn,
): Promise<void> {
  const now = clock.now()
  await Promise.all(
    happened.map(({ users, trace }, index) =>
      insertHistory(tx, {
        submission_id: id,
        number: last_event + index + 1,
        user_ids: JSON.stringify(users),
        ...trace,
        due_at,
        score_id: null,
        revision_id: null,
        title: null,
        ...(trace.state === 'turnedIn' ? turnedIn : undefined),
        created_at: now,
      }),
    ),
  )
}

/** What is there of a submission beside its work. */
export type Content = Pick<SubmissionChange, 'exercises_ids' | 'answers' | 'playback' | 'has_copies'>

/**
 * Writes what has become of a submission, and how.
 * @throws SUBMISSION_STATE_CONFLICT where it is not in the state any more in which it was found
 */
export async function saveSubmission(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  found: SubmissionRow,
  assignment: Pick<AssignmentRow, 'due_at'>,
  { work, happened }: { work: Work; happened: readonly Happened[] },
  content: Content = found,
  turnedIn?: TurnedIn,
): Promise<SubmissionRow> {
  const { exercises_ids, answers, playback, has_copies } = content
  const change: SubmissionChange = {
    ...stored(work),
    exercises_ids,
    answers,
    playback,
    has_copies,
    last_event: found.last_event + happened.length,
  }
  const [isWritten] = await Promise.all([
    updateSubmission(tx, found, change),
    writeHistory(ctx, tx, found, assignment, happened, turnedIn),
  ])
  if (!isWritten) fail('SUBMISSION_STATE_CONFLICT')
  return { ...found, ...change }
}

/** The columns of work that was begun. */
export function stored(work: Work): Omit<Work, 'state'> & { state: SubmissionRow['state'] } {
  const { state } = work
  if (state === 'none') fail('SUBMISSION_STATE_CONFLICT')
  return {
    state,
    grade: work.grade,
    max_points: work.max_points,
    rubric: work.rubric,
    graded_by_itself: work.graded_by_itself,
    draft_grade: work.draft_grade,
    draft_max_points: work.draft_max_points,
    draft_rubric: work.draft_rubric,
    submitted_at: work.submitted_at,
    returned_at: work.returned_at,
    return_creator_id: work.return_creator_id,
  }
}
