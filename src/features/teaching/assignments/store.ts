import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'

/** An assignment of a class, and whether it is assigned to its viewer individually or through a group. */
export type AssignmentRow = AssignmentsTable & { class_id: string; names_viewer: 0 | 1 }

/**
 * Whether the assignment in the outer query is assigned to the viewer. The lookup starts at the assignment,
 * which has few assignees.
 */
export const isAssignedTo = (viewer: Expression<string>) => sql<0 | 1>`
  case
    when exists (select 1 from assignment_students as named
      where named.assignment_id = assignments.id and named.user_id = ${viewer}) then 1
    when exists (select 1 from assignment_groups as named
      inner join group_members on group_members.group_id = named.group_id and group_members.user_id = ${viewer}
      where named.assignment_id = assignments.id) then 1
    else 0
  end`

const assignmentById = compiled((db, p: Params<{ id: string; class: string; viewer: string }>) =>
  db
    .selectFrom('assignments')
    .where('id', '=', p('id'))
    .where('class_id', '=', p('class'))
    .selectAll()
    .select((eb) => eb.ref('class_id').$notNull().as('class_id'))
    .select(isAssignedTo(p('viewer')).as('names_viewer')),
)

export async function findAssignment(
  queries: Queries,
  by: { id: string; class: string; viewer: string },
): Promise<AssignmentRow | undefined> {
  const [assignment] = await assignmentById(queries, by)
  return assignment
}

const assignmentsOfClass = compiled((db, p: Params<{ class: string; viewer: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .selectAll()
    .select((eb) => eb.ref('class_id').$notNull().as('class_id'))
    .select(isAssignedTo(p('viewer')).as('names_viewer'))
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/** Returns all assignments of a class, newest first. */
export async function listAssignmentsOf(
  queries: Queries,
  by: { class: string; viewer: string },
): Promise<AssignmentRow[]> {
  return assignmentsOfClass(queries, by)
}

const gradebookRowsOfClass = compiled((db, p: Params<{ class: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .where('state', '!=', 'draft')
    .select(['id', 'title', 'state', 'due_at', 'max_points', 'assignee_mode'])
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/**
 * The columns of an assignment for the gradebook. Texts and exercises, which are the largest columns, are
 * left out.
 */
export type GradebookAssignmentRow = Awaited<ReturnType<typeof gradebookRowsOfClass>>[number]

/** Returns the assignments of a class except drafts, newest first. */
export async function listGradebookAssignments(
  queries: Queries,
  classId: string,
): Promise<GradebookAssignmentRow[]> {
  return gradebookRowsOfClass(queries, { class: classId })
}

const accessRowsOfClass = compiled((db, p: Params<{ class: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .select(['id', 'creator_id', 'state', 'published_at', 'scheduled_at', 'assignee_mode'])
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/** The columns of an assignment that decide who has access to its scores. */
export type AssignmentAccessRow = Awaited<ReturnType<typeof accessRowsOfClass>>[number]

/** Returns these columns of all assignments of a class. */
export async function listAssignmentAccessRows(
  queries: Queries,
  classId: string,
): Promise<AssignmentAccessRow[]> {
  return accessRowsOfClass(queries, { class: classId })
}

export const insertAssignment = insertion('assignments')

/** Updates all columns of an assignment that can change. */
export const updateAssignmentRow = compiled(
  (db, p: Params<Omit<AssignmentsTable, 'class_id' | 'created_at'>>) =>
    db
      .updateTable('assignments')
      .set({
        creator_id: p('creator_id'),
        state: p('state'),
        type: p('type'),
        title: p('title'),
        description: p('description'),
        description_html: p('description_html'),
        teacher_instructions: p('teacher_instructions'),
        teacher_instructions_html: p('teacher_instructions_html'),
        max_points: p('max_points'),
        release_grades: p('release_grades'),
        students_mode: p('students_mode'),
        assignee_mode: p('assignee_mode'),
        published_at: p('published_at'),
        scheduled_at: p('scheduled_at'),
        due_at: p('due_at'),
        options: p('options'),
        rubric: p('rubric'),
        exercises: p('exercises'),
        modified_at: p('modified_at'),
      })
      .where('id', '=', p('id')),
)

export async function deleteAssignmentRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('assignments').where('id', '=', id).execute()
}

/** Updates the title of an assignment together with that of its resource. */
export async function updateAssignmentTitle(
  tx: Transaction,
  id: string,
  { title, now }: { title: string; now: number },
): Promise<void> {
  await tx.updateTable('assignments').set({ title, modified_at: now }).where('id', '=', id).execute()
}

const assignmentsById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.selectFrom('assignments').selectAll().where('id', 'in', p.list('ids')),
)

/** Returns the assignments with these ids, in no particular order. */
export async function listAssignmentsById(
  queries: Queries,
  ids: readonly string[],
): Promise<AssignmentsTable[]> {
  return ids.length > 0 ? assignmentsById(queries, { ids }) : []
}

/** Deletes assignments without a class. */
export const deleteAssignments = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('assignments').where('id', 'in', p.list('ids')),
)

/**
 * Changes the creator of these assignments, and the `attached_by` of the attachments that the former creator
 * made.
 */
export async function updateMakerOf(
  tx: Transaction,
  assignments: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const id of assignments) {
    await tx
      .updateTable('assignments')
      .set({ creator_id: to })
      .where('id', '=', id)
      .where('creator_id', '=', from)
      .execute()
    await tx
      .updateTable('assignment_attachments')
      .set({ attached_by: to })
      .where('assignment_id', '=', id)
      .where('attached_by', '=', from)
      .execute()
  }
}

/** Returns the assignments of classes that a user created, with the owners of the classes. */
export async function listMadeBy(
  queries: Queries,
  user: string,
): Promise<{ id: string; successor: string }[]> {
  return queries
    .selectFrom('assignments')
    .innerJoin('classes', 'classes.id', 'assignments.class_id')
    .where('assignments.creator_id', '=', user)
    .select(['assignments.id', 'classes.owner_id as successor'])
    .execute()
}

export async function updateAssignmentCreator(
  tx: Transaction,
  id: string,
  creator_id: string,
): Promise<void> {
  await tx.updateTable('assignments').set({ creator_id }).where('id', '=', id).execute()
}

/** The students and groups of an assignment whose mode is `selected`. */
export interface Assignees {
  students: readonly string[]
  groups: readonly string[]
}

const insertStudent = insertion('assignment_students', { orIgnore: true })
const insertGroup = insertion('assignment_groups', { orIgnore: true })

/** Replaces the assignees of an assignment. An undefined list stays unchanged. */
export async function replaceAssignees(
  tx: Transaction,
  assignment_id: string,
  { students, groups }: Partial<{ [K in keyof Assignees]: Assignees[K] | undefined }>,
): Promise<void> {
  if (students) {
    await tx.deleteFrom('assignment_students').where('assignment_id', '=', assignment_id).execute()
    await Promise.all(students.map((user_id) => insertStudent(tx, { assignment_id, user_id })))
  }
  if (groups) {
    await tx.deleteFrom('assignment_groups').where('assignment_id', '=', assignment_id).execute()
    await Promise.all(groups.map((group_id) => insertGroup(tx, { assignment_id, group_id })))
  }
}

/**
 * Adds the members of a group as individual assignees to the assignments that are assigned to the group.
 * Returns these assignments.
 */
export async function nameMembers(tx: Transaction, group: string): Promise<AssignmentsTable[]> {
  const named = await tx
    .selectFrom('assignments')
    .innerJoin('assignment_groups', 'assignment_groups.assignment_id', 'assignments.id')
    .where('assignment_groups.group_id', '=', group)
    .where('assignments.assignee_mode', '=', 'selected')
    .selectAll('assignments')
    .execute()
  const members = await tx
    .selectFrom('group_members')
    .where('group_id', '=', group)
    .select('user_id')
    .execute()
  await Promise.all(
    named.flatMap(({ id: assignment_id }) =>
      members.map(({ user_id }) => insertStudent(tx, { assignment_id, user_id })),
    ),
  )
  return named
}

const studentsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_students')
    .innerJoin('users', 'users.id', 'assignment_students.user_id')
    .where('assignment_students.assignment_id', 'in', p.list('assignments'))
    .where('users.deletion_at', 'is', null)
    .select(['assignment_students.assignment_id', 'users.id'])
    .orderBy('users.name_key')
    .orderBy('users.id'),
)

const groupsOf = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_groups')
    .innerJoin('groups', 'groups.id', 'assignment_groups.group_id')
    .where('assignment_groups.assignment_id', 'in', p.list('assignments'))
    .select(['assignment_groups.assignment_id', 'groups.id', 'groups.name'])
    .select((eb) =>
      eb
        .selectFrom('group_members')
        .innerJoin('users', 'users.id', 'group_members.user_id')
        .whereRef('group_members.group_id', '=', 'groups.id')
        .where('users.deletion_at', 'is', null)
        .select(sql<string | null>`string_agg(users.id, ',' order by users.name_key, users.id)`.as('ids'))
        .as('members'),
    )
    .orderBy('groups.name_key'),
)

/** The assignees by assignment id. */
export interface AssigneesByAssignment {
  students: ReadonlyMap<string, readonly { id: string }[]>
  groups: ReadonlyMap<string, readonly { id: string; name: string; members: string | null }[]>
}

export async function listAssignees(
  queries: Queries,
  assignments: readonly string[],
): Promise<AssigneesByAssignment> {
  if (assignments.length === 0) return { students: new Map(), groups: new Map() }
  const [students, groups] = await Promise.all([
    studentsOf(queries, { assignments }),
    groupsOf(queries, { assignments }),
  ])
  const byAssignment = ({ assignment_id }: { assignment_id: string }) => assignment_id
  return { students: Map.groupBy(students, byAssignment), groups: Map.groupBy(groups, byAssignment) }
}

/** Finds an assignment of any class. */
export async function findAnyAssignment(
  queries: Queries,
  id: string,
): Promise<(AssignmentsTable & { class_id: string }) | undefined> {
  return queries
    .selectFrom('assignments')
    .where('id', '=', id)
    .where('class_id', 'is not', null)
    .selectAll()
    .select((eb) => eb.ref('class_id').$notNull().as('class_id'))
    .executeTakeFirst()
}

/** Counts as a scalar subquery per class, so that no planner reads the assignments of other classes. */
const countedFor = compiled(
  (
    db,
    p: Params<{ viewer: string; now: number; managed: readonly string[]; learned: readonly string[] }>,
  ) => {
    const countsFrom = (name: 'managed' | 'learned') =>
      db.selectFrom(sql<{ value: string }>`${p.list(name)}`.as('asked')).select('asked.value as class_id')
    return countsFrom('managed')
      .select((eb) =>
        eb
          .selectFrom('assignments')
          .whereRef('assignments.class_id', '=', 'asked.value')
          .select((of) => of.fn.countAll<number>().as('count'))
          .as('count'),
      )
      .unionAll(
        countsFrom('learned').select((eb) =>
          eb
            .selectFrom('assignments')
            .whereRef('assignments.class_id', '=', 'asked.value')
            .where('published_at', 'is not', null)
            .where((of) => of.or([of('scheduled_at', 'is', null), of('scheduled_at', '<=', p('now'))]))
            .where((of) =>
              of.or([of('assignee_mode', '=', 'everyone'), of(isAssignedTo(p('viewer')), '=', 1)]),
            )
            .select((of) => of.fn.countAll<number>().as('count'))
            .as('count'),
        ),
      )
  },
)

/**
 * Counts the assignments that a user can see in each class: all assignments in classes that the user manages,
 * and those that `canSee` permits in open classes where the user is a student.
 */
export async function countAssignments(
  queries: Queries,
  viewer: string,
  classes: { managed: readonly string[]; learned: readonly string[] },
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await countedFor(queries, { viewer, now, ...classes })
  return new Map(rows.map(({ class_id, count }) => [class_id, count ?? 0]))
}

/** Removes a user from the assignees of the assignments of one class or of all. Returns these assignments. */
export async function deleteAssignee(
  tx: Transaction,
  user: string,
  classId: string | undefined,
): Promise<string[]> {
  const named = tx.deleteFrom('assignment_students').where('user_id', '=', user).returning('assignment_id')
  const rows =
    classId === undefined
      ? await named.execute()
      : await named
          .where('assignment_id', 'in', (eb) =>
            eb.selectFrom('assignments').where('class_id', '=', classId).select('id'),
          )
          .execute()
  return rows.map(({ assignment_id }) => assignment_id)
}

/** Stores the facts about a URL. Existing facts stay. */
export const insertWebLink = insertion('web_links', { orIgnore: true })

export async function hasWebLink(queries: Queries, url: string): Promise<boolean> {
  const known = await queries.selectFrom('web_links').select('url').where('url', '=', url).executeTakeFirst()
  return known !== undefined
}

const linksAtOnce = 500

/**
 * Deletes facts that are older than `before` (milliseconds since 1970) and whose URL is not attached
 * anywhere. Returns whether there may be more.
 */
export async function deleteUnusedWebLinks(tx: Transaction, before: number): Promise<boolean> {
  const unused = await tx
    .selectFrom('web_links')
    .select('web_links.url')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('assignment_attachments').select('position').whereRef('url', '=', 'web_links.url')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('submission_attachments').select('position').whereRef('url', '=', 'web_links.url')),
      ),
    )
    .limit(linksAtOnce)
    .execute()
  const urls = unused.map(({ url }) => url)
  if (urls.length > 0) await tx.deleteFrom('web_links').where('url', 'in', urls).execute()
  return urls.length === linksAtOnce
}
