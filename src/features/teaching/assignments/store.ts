import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { isAssignedTo } from './assignees.store.ts'

/** An assignment of a class, and whether it is assigned to its viewer individually or through a group. */
export type AssignmentRow = AssignmentsTable & { class_id: string; names_viewer: 0 | 1 }

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

const openAssignmentsOfClasses = compiled((db, p: Params<{ classes: readonly string[]; viewer: string }>) =>
  db
    .selectFrom('assignments')
    .where(p.isIn('class_id', 'classes'))
    .where('state', '=', 'active')
    .select(['id', 'title', 'type', 'created_at', 'modified_at', 'due_at'])
    .select(['state', 'published_at', 'scheduled_at', 'assignee_mode'])
    .select((eb) => eb.ref('class_id').$notNull().as('class_id'))
    .select(isAssignedTo(p('viewer')).as('names_viewer'))
    .orderBy('id', 'desc'),
)

/** The columns of an assignment for the home page. Texts and exercises, which are the largest columns, are left out. */
export type HomeAssignmentRow = Awaited<ReturnType<typeof openAssignmentsOfClasses>>[number]

/** Returns the assignments of several classes that are open to work, newest first. */
export async function listOpenAssignments(
  queries: Queries,
  by: { classes: readonly string[]; viewer: string },
): Promise<HomeAssignmentRow[]> {
  return by.classes.length > 0 ? openAssignmentsOfClasses(queries, by) : []
}

const gradebookRowsOfClass = compiled((db, p: Params<{ class: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .where('state', '!=', 'draft')
    .select(['id', 'title', 'type', 'state', 'due_at', 'max_points', 'weight', 'assignee_mode'])
    // They only tell the maximum of an assignment that has none of its own.
    .select((eb) => eb.case().when('max_points', 'is', null).then(eb.ref('exercises')).end().as('exercises'))
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
        weight: p('weight'),
        late_policy: p('late_policy'),
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

/** Deletes an assignment, its submissions and the groups that were made for it. */
export async function deleteAssignmentRow(tx: Transaction, id: string): Promise<void> {
  await tx
    .deleteFrom('groups')
    .where('type', '=', 'assignmentStudentsSubGroup')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('assignment_groups')
        .where('assignment_id', '=', id)
        .select('group_id as id')
        .union(
          eb
            .selectFrom('submissions')
            .where('assignment_id', '=', id)
            .select((of) => of.ref('group_id').$notNull().as('id'))
            .where('group_id', 'is not', null),
        ),
    )
    .execute()
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
  db.selectFrom('assignments').selectAll().where(p.isIn('id', 'ids')),
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
  db.deleteFrom('assignments').where(p.isIn('id', 'ids')),
)

/**
 * Changes the creator of these assignments, and the `attached_by` of the attachments of the former creator.
 */
export async function replaceAssignmentCreator(
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
export async function listCreatedBy(
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
const countQuery = compiled(
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
  const rows = await countQuery(queries, { viewer, now, ...classes })
  return new Map(rows.map(({ class_id, count }) => [class_id, count ?? 0]))
}
