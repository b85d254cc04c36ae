import type { Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import type { AssignmentRow } from '../assignments/store.ts'
import {
  type TransitionContext,
  type SubmissionEvent,
  applyEvent,
  type HistoryEntry,
  type LifecycleFields,
} from './lifecycle.ts'
import { insertHistory } from './history.store.ts'
import { type SubmissionChange, type SubmissionRow, updateSubmission } from './store.ts'

/** A history record that is not written yet. */
export interface HistoryRecord {
  /** The user who caused the event; empty for an event that the server caused. */
  users: readonly string[]
  entry: HistoryEntry
}

/**
 * Applies several events in order.
 * @throws SUBMISSION_STATE_CONFLICT when the state does not allow one of the events
 */
export function applyEvents(
  initial: LifecycleFields,
  events: readonly SubmissionEvent[],
  context: TransitionContext,
): { fields: LifecycleFields; history: HistoryRecord[] } {
  let fields = initial
  const history: HistoryRecord[] = []
  const users = context.actor === undefined ? [] : [context.actor]
  for (const event of events) {
    const result = applyEvent(fields, event, context)
    if (!result) fail('SUBMISSION_STATE_CONFLICT')
    fields = result.fields
    if (result.entry) history.push({ users, entry: result.entry })
  }
  return { fields, history }
}

/** The first score of a submission and the revision that was turned in. */
export type TurnedInScore = { score_id: string; revision_id: string; title: string }

/** Appends records to the history of a submission. */
async function writeHistory(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  { id, last_event }: Pick<SubmissionRow, 'id' | 'last_event'>,
  { due_at }: Pick<AssignmentRow, 'due_at'>,
  history: readonly HistoryRecord[],
  turnedIn?: TurnedInScore,
): Promise<void> {
  const now = clock.now()
  await Promise.all(
    history.map(({ users, entry }, index) =>
      insertHistory(tx, {
        submission_id: id,
        number: last_event + index + 1,
        user_ids: JSON.stringify(users),
        ...entry,
        due_at,
        score_id: null,
        revision_id: null,
        title: null,
        ...(entry.state === 'turnedIn' ? turnedIn : undefined),
        created_at: now,
      }),
    ),
  )
}

/** The content of a submission: the columns that are not part of the state machine. */
export type Content = Pick<SubmissionChange, 'exercises_ids' | 'answers' | 'playback' | 'has_copies'>

/**
 * Writes the new state and content of a submission, and appends to its history.
 * @throws SUBMISSION_STATE_CONFLICT when another transaction has changed the state since the submission was
 *   read
 */
export async function saveSubmission(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  stored: SubmissionRow,
  assignment: Pick<AssignmentRow, 'due_at'>,
  { fields, history }: { fields: LifecycleFields; history: readonly HistoryRecord[] },
  content: Content = stored,
  turnedIn?: TurnedInScore,
): Promise<SubmissionRow> {
  const { exercises_ids, answers, playback, has_copies } = content
  const change: SubmissionChange = {
    ...startedColumns(fields),
    exercises_ids,
    answers,
    playback,
    has_copies,
    last_event: stored.last_event + history.length,
  }
  const [isWritten] = await Promise.all([
    updateSubmission(tx, stored, change),
    writeHistory(ctx, tx, stored, assignment, history, turnedIn),
  ])
  if (!isWritten) fail('SUBMISSION_STATE_CONFLICT')
  return { ...stored, ...change }
}

/**
 * Returns the columns of a submission that has been started.
 * @throws SUBMISSION_STATE_CONFLICT when the state is `none`
 */
export function startedColumns(
  fields: LifecycleFields,
): Omit<LifecycleFields, 'state'> & { state: SubmissionRow['state'] } {
  const { state } = fields
  if (state === 'none') fail('SUBMISSION_STATE_CONFLICT')
  return {
    state,
    grade: fields.grade,
    max_points: fields.max_points,
    rubric: fields.rubric,
    graded_automatically: fields.graded_automatically,
    draft_grade: fields.draft_grade,
    draft_max_points: fields.draft_max_points,
    draft_rubric: fields.draft_rubric,
    submitted_at: fields.submitted_at,
    returned_at: fields.returned_at,
    return_creator_id: fields.return_creator_id,
  }
}
