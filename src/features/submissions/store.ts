import { type Expression, type SqlBool, sql } from 'kysely'
import type { ClassRole } from '../../contract/users.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { SubmissionAttachmentsTable, SubmissionsTable } from '../../db/school-tables.ts'
import { namesInQuery } from '../assignments/store.ts'

/** A submission, and what of its assignment and of its viewer is asked with it. */
export type SubmissionRow = SubmissionsTable & {
  due_at: number | null
  /** Whether it is the viewer's work, alone or with a group. */
  is_own: 0 | 1
}

/** Whether somebody is a student of the submission of the outer query. */
const isOf = (user: Expression<string>) => sql<0 | 1>`case when submissions.group_id is null
    then case when submissions.creator_id = ${user} then 1 else 0 end
    else case when exists (
      select 1 from group_members where group_id = submissions.group_id and user_id = ${user}
    ) then 1 else 0 end end`

/** Those of students who were removed are not there, unless others have part in them. */
function selectSubmissions(db: Pick<Queries, 'selectFrom'>, viewer: Expression<string>) {
  return db
    .selectFrom('submissions')
    .innerJoin('assignments', 'assignments.id', 'submissions.assignment_id')
    .innerJoin('users as creator', 'creator.id', 'submissions.creator_id')
    .where((eb) => eb.or([eb('creator.deletion_at', 'is', null), eb('submissions.group_id', 'is not', null)]))
    .selectAll('submissions')
    .select(['assignments.due_at', isOf(viewer).as('is_own')])
}

/** The submissions of a student, alone or with a group. */
const idsOf = (user: Expression<string>) => sql<string>`(
    select id from submissions where creator_id = ${user} and group_id is null
    union all
    select submissions.id from group_members
      inner join submissions on submissions.group_id = group_members.group_id
      where group_members.user_id = ${user})`

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
      'submissions.id',
      'in',
      sql<string>`(
        select id from submissions
          where creator_id = ${p('student')} and assignment_id = ${p('assignment')} and group_id is null
        union all
        select submissions.id from group_members
          inner join submissions on submissions.group_id = group_members.group_id
            and submissions.assignment_id = ${p('assignment')}
          where group_members.user_id = ${p('student')})`,
    )
    .orderBy('submissions.id')
    .limit(sql.lit(1)),
)

/** The work of a student on an assignment, alone or with a group. */
export async function findOwnSubmission(
  queries: Queries,
  by: { assignment: string; student: string },
): Promise<SubmissionRow | undefined> {
  const [row] = await ofStudent(queries, by)
  return row
}

const ofAssignments = compiled((db, p: Params<{ assignments: readonly string[]; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where('submissions.assignment_id', 'in', p.list('assignments'))
    .orderBy('submissions.id'),
)

const ownOfAssignments = compiled((db, p: Params<{ assignments: readonly string[]; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where('submissions.id', 'in', idsOf(p('viewer')))
    .where('submissions.assignment_id', 'in', p.list('assignments'))
    .orderBy('submissions.id'),
)

/** The submissions of these assignments, all of them or the viewer's own, those that were begun first first. */
export async function listSubmissions(
  queries: Queries,
  assignments: readonly string[],
  { viewer, own }: { viewer: string; own: boolean },
): Promise<SubmissionRow[]> {
  if (assignments.length === 0) return []
  return (own ? ownOfAssignments : ofAssignments)(queries, { assignments, viewer })
}

const ofStudentInClass = compiled((db, p: Params<{ class: string; student: string; viewer: string }>) =>
  selectSubmissions(db, p('viewer'))
    .where('submissions.id', 'in', idsOf(p('student')))
    .where('submissions.class_id', '=', p('class'))
    .orderBy('submissions.id'),
)

/** What a student has worked on in a class, alone or with groups. */
export async function listStudentSubmissions(
  queries: Queries,
  by: { class: string; student: string; viewer: string },
): Promise<SubmissionRow[]> {
  return ofStudentInClass(queries, by)
}

const withScore = compiled((db, p: Params<{ score: string; viewer: string; organization: string }>) => {
  const isIn = (type: 'classTeachers' | 'classStudents') => sql<SqlBool>`exists (
    select 1 from group_members inner join groups on groups.id = group_members.group_id
      where group_members.user_id = ${p('viewer')} and groups.class_id = classes.id and groups.type = ${sql.lit(type)})`
  return selectSubmissions(db, p('viewer'))
    .innerJoin('classes', 'classes.id', 'submissions.class_id')
    .where(
      'submissions.id',
      'in',
      db.selectFrom('submission_attachments').where('score_id', '=', p('score')).select('submission_id'),
    )
    .where('classes.organization_id', '=', p('organization'))
    .select(['classes.state as class_state', 'assignments.state as assignment_state'])
    .select(['assignments.scheduled_at', 'assignments.assignee_mode', namesInQuery(p('viewer')).as('names_viewer')])
    .select((eb) =>
      eb
        .case()
        .when(isIn('classTeachers'))
        .then<ClassRole>('teacher')
        .when(isIn('classStudents'))
        .then<ClassRole>('student')
        .end()
        .as('viewer_role'),
    )
    .orderBy('submissions.id')
})

/** A submission, with what decides who finds it. */
export type PlacedSubmission = Awaited<ReturnType<typeof withScore>>[number]

/** The submissions of an organization that a score is attached to. */
export async function listSubmissionsWith(
  queries: Queries,
  by: { score: string; viewer: string; organization: string },
): Promise<PlacedSubmission[]> {
  return withScore(queries, by)
}

export const insertSubmission = insertion('submissions')

/** What the events and the bodies change of a submission. */
export type SubmissionChange = Pick<
  SubmissionsTable,
  | 'state'
  | 'grade'
  | 'draft_grade'
  | 'max_points'
  | 'rubric'
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
      rubric: p('rubric'),
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

/** Whether the submission was still in the state that it is to leave. */
export async function updateSubmission(
  tx: Transaction,
  { id, state: from }: Pick<SubmissionRow, 'id' | 'state'>,
  change: SubmissionChange,
): Promise<boolean> {
  return (await update(tx, { ...change, id, from })) > 0
}

/** An attachment, and what its score is called and whose it is. */
export type SubmissionAttachmentRow = SubmissionAttachmentsTable & {
  score_title: string | null
  score_owner: string | null
  /** What the service of its address says of it. */
  web_facts: string | null
}

const attachmentsOf = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db
    .selectFrom('submission_attachments')
    .leftJoin('scores', 'scores.id', 'submission_attachments.score_id')
    .leftJoin('web_links', 'web_links.url', 'submission_attachments.url')
    .where('submission_attachments.submission_id', 'in', p.list('submissions'))
    .selectAll('submission_attachments')
    .select(['scores.title as score_title', 'scores.owner_id as score_owner', 'web_links.facts as web_facts'])
    .orderBy('submission_attachments.submission_id')
    .orderBy('submission_attachments.position'),
)

/** The attachments of each of these submissions, in their order. */
export async function listSubmissionAttachments(
  queries: Queries,
  submissions: readonly string[],
): Promise<Map<string, SubmissionAttachmentRow[]>> {
  const rows = submissions.length > 0 ? await attachmentsOf(queries, { submissions }) : []
  return Map.groupBy(rows, ({ submission_id }) => submission_id)
}

const insertAttachment = insertion('submission_attachments')

const deleteAttachments = compiled((db, p: Params<{ submission: string }>) =>
  db.deleteFrom('submission_attachments').where('submission_id', '=', p('submission')),
)

export type NewAttachment = Omit<SubmissionAttachmentsTable, 'submission_id' | 'position'>

/** Gives a submission these attachments in the place of those that it has. */
export async function replaceSubmissionAttachments(
  tx: Transaction,
  submission_id: string,
  attachments: readonly NewAttachment[],
): Promise<void> {
  await Promise.all([
    deleteAttachments(tx, { submission: submission_id }),
    ...attachments.map((attachment, position) => insertAttachment(tx, { ...attachment, submission_id, position })),
  ])
}

export const insertHistory = insertion('submission_history')

/** The most of a history that is listed, and of it the newest. */
const mostListed = 10_000

/** What happened to a submission, newest last. */
export async function listHistory(queries: Queries, submission: string) {
  const rows = await queries
    .selectFrom('submission_history')
    .where('submission_id', '=', submission)
    .selectAll()
    .orderBy('number', 'desc')
    .limit(mostListed)
    .execute()
  return rows.reverse()
}

const groupOf = compiled((db, p: Params<{ assignment: string; student: string }>) =>
  db
    .selectFrom('assignment_groups')
    .innerJoin('group_members', 'group_members.group_id', 'assignment_groups.group_id')
    .where('assignment_groups.assignment_id', '=', p('assignment'))
    .where('group_members.user_id', '=', p('student'))
    .select('assignment_groups.group_id')
    .orderBy('assignment_groups.group_id')
    .limit(sql.lit(1)),
)

/** The group of a student that an assignment names, of several the oldest. */
export async function findNamedGroup(
  queries: Queries,
  by: { assignment: string; student: string },
): Promise<string | undefined> {
  const [row] = await groupOf(queries, by)
  return row?.group_id
}

/** The scores that were made for these submissions. */
export async function listCopies(queries: Queries, submissions: readonly string[]): Promise<string[]> {
  const attachments = await listSubmissionAttachments(queries, submissions)
  return [...attachments.values()].flat().flatMap(({ score_id, dedicated }) => (dedicated && score_id ? score_id : []))
}

/** All submissions to an assignment, also of students who were removed. */
export async function listSubmissionIds(queries: Queries, assignment: string): Promise<string[]> {
  const rows = await queries.selectFrom('submissions').where('assignment_id', '=', assignment).select('id').execute()
  return rows.map(({ id }) => id)
}

/** What a student has worked on, alone or with groups, in a class or in all. */
export async function listWorkOf(
  queries: Queries,
  student: string,
  classId?: string,
): Promise<Pick<SubmissionsTable, 'id' | 'creator_id' | 'group_id'>[]> {
  return queries
    .selectFrom('submissions')
    .where('id', 'in', idsOf(sql.val(student)))
    .$if(classId !== undefined, (query) => query.where('class_id', '=', classId ?? ''))
    .select(['id', 'creator_id', 'group_id'])
    .execute()
}

export async function updateCreator(tx: Transaction, id: string, creator_id: string): Promise<void> {
  await tx.updateTable('submissions').set({ creator_id }).where('id', '=', id).execute()
}

/** Deletes a submission with its attachments, comments and history, and the access that follows from it. */
export async function deleteSubmissionRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('submissions').where('id', '=', id).execute()
}
