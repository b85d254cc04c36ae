import { type Expression, type SqlBool, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { SubmissionsTable } from '../../../platform/db/school-tables.ts'
import { isAssignedTo } from '../assignments/assignees.store.ts'
import { roleInClass } from '../classes/store.ts'
import { effectiveSubmissions } from './effective-submission.ts'

/** A submission with the due date of its assignment and its relation to the viewer. */
export type SubmissionRow = SubmissionsTable & {
  due_at: number | null
  /** Whether the student of individual work is excused from it. */
  is_excused: 0 | 1
  /** Whether the viewer is a student of the submission, individually or through its group. */
  is_own: 0 | 1
}

/** Whether a user is a student of the submission in the outer query. */
export const isStudentOf = (user: Expression<string>) => sql<0 | 1>`case when submissions.group_id is null
    then case when submissions.creator_id = ${user} then 1 else 0 end
    else case when exists (
      select 1 from group_members where group_id = submissions.group_id and user_id = ${user}
    ) then 1 else 0 end end`

const isExcused = sql<0 | 1>`case when submissions.group_id is null and exists (
    select 1 from assignment_excuses as excused
      where excused.assignment_id = submissions.assignment_id and excused.user_id = submissions.creator_id
  ) then 1 else 0 end`

/**
 * Starts a query of submissions. It excludes individual submissions of removed students. Columns of other
 * tables are scalar subqueries: with joins, a planner without statistics would read these tables completely.
 */
export const selectExisting = (db: Pick<Queries, 'selectFrom'>) =>
  db
    .selectFrom('submissions')
    .where(
      sql<SqlBool>`(submissions.group_id is not null
        or (select deletion_at from users where users.id = submissions.creator_id) is null)`,
    )
    .select((eb) =>
      eb
        .selectFrom('assignments as set')
        .whereRef('set.id', '=', 'submissions.assignment_id')
        .select('set.due_at')
        .as('due_at'),
    )
    .select(isExcused.as('is_excused'))

const selectSubmissions = (db: Pick<Queries, 'selectFrom'>, viewer: Expression<string>) =>
  selectExisting(db).selectAll('submissions').select(isStudentOf(viewer).as('is_own'))

/**
 * Whether the submission in the outer query belongs to a group that its assignment is assigned to. The
 * subquery looks the group up by key for each row.
 */
export const isOfAssignedGroup = sql<0 | 1>`coalesce((
    select 1 from assignment_groups as named
      where named.assignment_id = submissions.assignment_id and named.group_id = submissions.group_id
  ), 0)`

/**
 * Whether the submission is individual. Most submissions are, and this expression keeps the planner from
 * using the index of `group_id` for them.
 */
export const isIndividual = sql<SqlBool>`coalesce(submissions.group_id, '') = ''`

/**
 * Selects the ids of all submissions of a student, individual or with a group, before they are reduced to the
 * effective ones.
 * @param within the assignment or the class to search; undefined for all
 */
function submissionIdsOf(
  user: Expression<string>,
  within?: { of: 'assignment_id' | 'class_id'; is: Expression<string> },
) {
  // The `coalesce` keeps the planner from reading all submissions of the class.
  const isWithin = !within
    ? sql``
    : within.of === 'class_id'
      ? sql`and coalesce(submissions.class_id, '') = ${within.is}`
      : sql`and submissions.assignment_id = ${within.is}`
  return sql<string>`(
    select id from submissions where creator_id = ${user} and ${isIndividual} ${isWithin}
    union all
    select submissions.id from group_members
      inner join submissions on submissions.group_id = group_members.group_id ${isWithin}
      where group_members.user_id = ${user})`
}

const byId = compiled((db, p: Params<{ id: string; assignment: string; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where('submissions.id', '=', p('id'))
    .where('submissions.assignment_id', '=', p('assignment')),
)

export async function findSubmission(
  queries: Queries,
  by: { id: string; assignment: string; viewer: string },
): Promise<SubmissionRow | undefined> {
  const [row] = await byId(queries, by)
  return row
}

const ofStudent = compiled((db, p: Params<{ assignment: string; student: string }>) =>
  selectSubmissions(db, p('student'))
    .where(
      p.isIn('submissions.id', submissionIdsOf(p('student'), { of: 'assignment_id', is: p('assignment') })),
    )
    .select(isOfAssignedGroup.as('of_named_group')),
)

/** Returns the effective submission of a student to an assignment. */
export async function findOwnSubmission(
  queries: Queries,
  by: { assignment: string; student: string },
): Promise<SubmissionRow | undefined> {
  const [row] = effectiveSubmissions(await ofStudent(queries, by))
  return row
}

const ofAssignments = compiled((db, p: Params<{ assignments: readonly string[]; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where(p.isIn('submissions.assignment_id', 'assignments'))
    .orderBy('submissions.id'),
)

const ownOfAssignments = compiled(
  (db, p: Params<{ class: string; assignments: readonly string[]; viewer: string }>) =>
    selectSubmissions(db, p('viewer'))
      .where(p.isIn('submissions.id', submissionIdsOf(p('viewer'), { of: 'class_id', is: p('class') })))
      .where(p.isIn('submissions.assignment_id', 'assignments'))
      .select(isOfAssignedGroup.as('of_named_group'))
      .orderBy('submissions.id'),
)

/**
 * Returns the submissions to these assignments of a class, oldest first: all of them, or the effective ones
 * of the viewer.
 */
export async function listSubmissions(
  queries: Queries,
  { class: schoolClass, assignments }: { class: string; assignments: readonly string[] },
  { viewer, own }: { viewer: string; own: boolean },
): Promise<SubmissionRow[]> {
  if (assignments.length === 0) return []
  if (!own) return ofAssignments(queries, { assignments, viewer })
  return effectiveSubmissions(await ownOfAssignments(queries, { class: schoolClass, assignments, viewer }))
}

const ownOfAnyClass = compiled((db, p: Params<{ assignments: readonly string[]; student: string }>) =>
  selectSubmissions(db, p('student'))
    .where(p.isIn('submissions.id', submissionIdsOf(p('student'))))
    .where(p.isIn('submissions.assignment_id', 'assignments'))
    .select(isOfAssignedGroup.as('of_named_group'))
    .orderBy('submissions.id'),
)

/** Returns the effective submissions of a student to assignments of any classes. */
export async function listOwnSubmissions(
  queries: Queries,
  by: { assignments: readonly string[]; student: string },
): Promise<SubmissionRow[]> {
  return by.assignments.length > 0 ? effectiveSubmissions(await ownOfAnyClass(queries, by)) : []
}

const turnedInTo = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  selectExisting(db)
    .clearSelect()
    .where(p.isIn('submissions.assignment_id', 'assignments'))
    .where('submissions.state', '=', 'turnedIn')
    .groupBy('submissions.assignment_id')
    .select((eb) => ['submissions.assignment_id', eb.fn.countAll<number>().as('count')]),
)

/** Returns the number of submissions that wait for a teacher, by assignment id. */
export async function countTurnedIn(
  queries: Queries,
  assignments: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = assignments.length > 0 ? await turnedInTo(queries, { assignments }) : []
  return new Map(rows.map(({ assignment_id, count }) => [assignment_id, count]))
}

const ofStudentInClass = compiled((db, p: Params<{ class: string; student: string; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where(p.isIn('submissions.id', submissionIdsOf(p('student'), { of: 'class_id', is: p('class') })))
    .select(isOfAssignedGroup.as('of_named_group'))
    .orderBy('submissions.id'),
)

/** Returns the effective submissions of a student in a class. */
export async function listStudentSubmissions(
  queries: Queries,
  by: { class: string; student: string; viewer: string },
): Promise<SubmissionRow[]> {
  return effectiveSubmissions(await ofStudentInClass(queries, by))
}

const withAttachedScore = compiled(
  (db, p: Params<{ score: string; viewer: string; organization: string }>) => {
    return selectSubmissions(db, p('viewer'))
      .innerJoin('assignments', 'assignments.id', 'submissions.assignment_id')
      .innerJoin('classes', 'classes.id', 'submissions.class_id')
      .where(
        p.isIn(
          'submissions.id',
          db.selectFrom('submission_attachments').where('score_id', '=', p('score')).select('submission_id'),
        ),
      )
      .where('classes.organization_id', '=', p('organization'))
      .select(['classes.state as class_state', 'assignments.state as assignment_state'])
      .select(['assignments.published_at', 'assignments.scheduled_at', 'assignments.assignee_mode'])
      .select([isAssignedTo(p('viewer')).as('names_viewer')])
      .select(roleInClass(p('viewer')).as('viewer_role'))
      .orderBy('submissions.id')
  },
)

/** A submission with the columns that decide whether the viewer can see it. */
export type SubmissionWithClass = Awaited<ReturnType<typeof withAttachedScore>>[number]

/** Returns the submissions in an organization that a score is attached to. */
export async function listSubmissionsWithScore(
  queries: Queries,
  by: { score: string; viewer: string; organization: string },
): Promise<SubmissionWithClass[]> {
  return withAttachedScore(queries, by)
}

export const insertSubmission = insertion('submissions')

/** The columns that requests can change. */
export type SubmissionChange = Pick<
  SubmissionsTable,
  | 'state'
  | 'grade'
  | 'draft_grade'
  | 'max_points'
  | 'draft_max_points'
  | 'rubric'
  | 'draft_rubric'
  | 'graded_automatically'
  | 'exercises_ids'
  | 'answers'
  | 'playback'
  | 'has_copies'
  | 'last_event'
  | 'submitted_at'
  | 'returned_at'
  | 'return_creator_id'
>

const update = compiled((db, p: Params<SubmissionChange & { id: string; from: SubmissionsTable['state'] }>) =>
  db
    .updateTable('submissions')
    .set({
      state: p('state'),
      grade: p('grade'),
      draft_grade: p('draft_grade'),
      max_points: p('max_points'),
      draft_max_points: p('draft_max_points'),
      rubric: p('rubric'),
      draft_rubric: p('draft_rubric'),
      graded_automatically: p('graded_automatically'),
      exercises_ids: p('exercises_ids'),
      answers: p('answers'),
      playback: p('playback'),
      has_copies: p('has_copies'),
      last_event: p('last_event'),
      submitted_at: p('submitted_at'),
      returned_at: p('returned_at'),
      return_creator_id: p('return_creator_id'),
    })
    .where('id', '=', p('id'))
    .where('state', '=', p('from')),
)

/** Updates a submission. Returns false when it is no longer in the state that the caller read. */
export async function updateSubmission(
  tx: Transaction,
  { id, state: from }: Pick<SubmissionRow, 'id' | 'state'>,
  change: SubmissionChange,
): Promise<boolean> {
  return (await update(tx, { ...change, id, from })) > 0
}

const tracksHandedIn = compiled((db, p: Params<{ tracks: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .innerJoin('submissions', 'submissions.id', 'submission_attachments.submission_id')
    .where(p.isIn('submission_attachments.track_id', 'tracks'))
    .select((eb) => eb.ref('submission_attachments.track_id').$notNull().as('track_id'))
    .select(['submissions.id as submission_id', 'submissions.assignment_id']),
)

/** Returns the submissions that these tracks are attached to, by track id. */
export async function listSubmissionsByTrack(queries: Queries, tracks: readonly string[]) {
  const rows = tracks.length > 0 ? await tracksHandedIn(queries, { tracks }) : []
  return Map.groupBy(rows, ({ track_id }) => track_id)
}

const assignedGroupOf = compiled((db, p: Params<{ assignment: string; student: string }>) =>
  db
    .selectFrom('assignment_groups')
    .innerJoin('group_members', 'group_members.group_id', 'assignment_groups.group_id')
    .where('assignment_groups.assignment_id', '=', p('assignment'))
    .where('group_members.user_id', '=', p('student'))
    .select('assignment_groups.group_id')
    .orderBy('assignment_groups.group_id')
    .limit(sql.lit(1)),
)

/** Returns the group of a student that an assignment is assigned to; the oldest if there are several. */
export async function findAssignedGroup(
  queries: Queries,
  by: { assignment: string; student: string },
): Promise<string | undefined> {
  const [row] = await assignedGroupOf(queries, by)
  return row?.group_id
}

/** Returns the ids of all submissions to an assignment, including those of removed students. */
export async function listSubmissionIds(queries: Queries, assignment: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('submissions')
    .where('assignment_id', '=', assignment)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Returns the submissions of a student in one class or in all: individual ones, those of the student's
 * groups, and those that the student created for a group that has no members left.
 */
export async function listWorkOf(
  queries: Queries,
  student: string,
  classId?: string,
): Promise<Pick<SubmissionsTable, 'id' | 'creator_id' | 'group_id'>[]> {
  return queries
    .selectFrom('submissions')
    .where(
      'id',
      'in',
      sql<string>`(select id from ${submissionIdsOf(sql.val(student))} as own union select id from submissions where creator_id = ${student})`,
    )
    .$if(classId !== undefined, (query) => query.where('class_id', '=', classId ?? ''))
    .select(['id', 'creator_id', 'group_id'])
    .execute()
}

/** Whether a score is a copy that was created for an existing submission. */
export async function isSubmissionCopy(queries: Queries, score: string): Promise<boolean> {
  const row = await queries
    .selectFrom('submission_attachments')
    .where('score_id', '=', score)
    .where('dedicated', '=', 1)
    .select('submission_id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the comments of a user on a submission. */
export async function deleteCommentsOf(tx: Transaction, submission: string, user: string): Promise<void> {
  await tx
    .deleteFrom('submission_comments')
    .where('submission_id', '=', submission)
    .where('user_id', '=', user)
    .execute()
}

export async function updateCreator(tx: Transaction, id: string, creator_id: string): Promise<void> {
  await tx.updateTable('submissions').set({ creator_id }).where('id', '=', id).execute()
}

/** Deletes a submission with its attachments, comments, history and access grants. */
export async function deleteSubmissionRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('submissions').where('id', '=', id).execute()
}
