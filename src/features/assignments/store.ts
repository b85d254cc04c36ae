import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'

/** An assignment of a class, and whether it names its viewer, alone or in a group. */
export type AssignmentRow = AssignmentsTable & { class_id: string; names_viewer: 0 | 1 }

/** Whether the assignment of the outer query names somebody: looked up from the assignment, which names few. */
export const namesInQuery = (viewer: Expression<string>) => sql<0 | 1>`
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
    .select(namesInQuery(p('viewer')).as('names_viewer')),
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
    .select(namesInQuery(p('viewer')).as('names_viewer'))
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/** All assignments of a class, the newest first. */
export async function listAssignmentsOf(
  queries: Queries,
  by: { class: string; viewer: string },
): Promise<AssignmentRow[]> {
  return assignmentsOfClass(queries, by)
}

const headsOfClass = compiled((db, p: Params<{ class: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .where('state', '!=', 'draft')
    .select(['id', 'title', 'state', 'due_at', 'max_points', 'assignee_mode'])
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/** What a table of grades says of an assignment: without its texts and exercises, which are most of it. */
export type AssignmentHead = Awaited<ReturnType<typeof headsOfClass>>[number]

/** The assignments of a class that are no drafts, the newest first. */
export async function listAssignmentHeads(queries: Queries, classId: string): Promise<AssignmentHead[]> {
  return headsOfClass(queries, { class: classId })
}

const placesOfClass = compiled((db, p: Params<{ class: string }>) =>
  db
    .selectFrom('assignments')
    .where('class_id', '=', p('class'))
    .select(['id', 'creator_id', 'state', 'published_at', 'scheduled_at', 'assignee_mode'])
    .orderBy('class_id', 'desc')
    .orderBy('id', 'desc'),
)

/** What decides who has access to what an assignment has attached. */
export type AssignmentPlace = Awaited<ReturnType<typeof placesOfClass>>[number]

/** All assignments of a class, as far as their access goes. */
export async function listAssignmentPlaces(queries: Queries, classId: string): Promise<AssignmentPlace[]> {
  return placesOfClass(queries, { class: classId })
}

export const insertAssignment = insertion('assignments')

/** Writes what of an assignment can change. */
export const updateAssignmentRow = compiled((db, p: Params<Omit<AssignmentsTable, 'class_id' | 'created_at'>>) =>
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

/** Gives an assignment another title: that of the resource that it is. */
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

/** The assignments with these ids, of no particular order. */
export async function listAssignmentsById(queries: Queries, ids: readonly string[]): Promise<AssignmentsTable[]> {
  return ids.length > 0 ? assignmentsById(queries, { ids }) : []
}

/** Deletes assignments that belong to no class. */
export const deleteAssignments = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('assignments').where('id', 'in', p.list('ids')),
)

/** Makes another one the maker of these assignments, and who has attached what somebody has attached there. */
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

/** The assignments of classes that somebody has made, and who owns these. */
export async function listMadeBy(queries: Queries, user: string): Promise<{ id: string; heir: string }[]> {
  return queries
    .selectFrom('assignments')
    .innerJoin('classes', 'classes.id', 'assignments.class_id')
    .where('assignments.creator_id', '=', user)
    .select(['assignments.id', 'classes.owner_id as heir'])
    .execute()
}

export async function updateAssignmentCreator(tx: Transaction, id: string, creator_id: string): Promise<void> {
  await tx.updateTable('assignments').set({ creator_id }).where('id', '=', id).execute()
}

/** For whom an assignment is that is not for everyone. */
export interface Assignees {
  students: readonly string[]
  groups: readonly string[]
}

const insertStudent = insertion('assignment_students', { orIgnore: true })
const insertGroup = insertion('assignment_groups', { orIgnore: true })

/** Names these and nobody else; what is undefined stays. */
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

/** Lets the assignments that are for some, and name a group, name its members as well. Which ones they are. */
export async function nameMembers(tx: Transaction, group: string): Promise<AssignmentsTable[]> {
  const named = await tx
    .selectFrom('assignments')
    .innerJoin('assignment_groups', 'assignment_groups.assignment_id', 'assignments.id')
    .where('assignment_groups.group_id', '=', group)
    .where('assignments.assignee_mode', '=', 'selected')
    .selectAll('assignments')
    .execute()
  const members = await tx.selectFrom('group_members').where('group_id', '=', group).select('user_id').execute()
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

/** Whom each of these assignments names. */
export interface NamedBy {
  students: ReadonlyMap<string, readonly { id: string }[]>
  groups: ReadonlyMap<string, readonly { id: string; name: string; members: string | null }[]>
}

export async function listAssignees(queries: Queries, assignments: readonly string[]): Promise<NamedBy> {
  if (assignments.length === 0) return { students: new Map(), groups: new Map() }
  const [students, groups] = await Promise.all([
    studentsOf(queries, { assignments }),
    groupsOf(queries, { assignments }),
  ])
  const byAssignment = ({ assignment_id }: { assignment_id: string }) => assignment_id
  return { students: Map.groupBy(students, byAssignment), groups: Map.groupBy(groups, byAssignment) }
}

/** An assignment of whatever class. */
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

/** Asked for each class as a value: so no planner, whatever it believes of the table, reads those of other classes. */
const countedFor = compiled(
  (db, p: Params<{ viewer: string; now: number; managed: readonly string[]; learned: readonly string[] }>) => {
    const asked = (name: 'managed' | 'learned') =>
      db.selectFrom(sql<{ value: string }>`${p.list(name)}`.as('asked')).select('asked.value as class_id')
    return asked('managed')
      .select((eb) =>
        eb
          .selectFrom('assignments')
          .whereRef('assignments.class_id', '=', 'asked.value')
          .select((of) => of.fn.countAll<number>().as('count'))
          .as('count'),
      )
      .unionAll(
        asked('learned').select((eb) =>
          eb
            .selectFrom('assignments')
            .whereRef('assignments.class_id', '=', 'asked.value')
            .where('published_at', 'is not', null)
            .where((of) => of.or([of('scheduled_at', 'is', null), of('scheduled_at', '<=', p('now'))]))
            .where((of) => of.or([of('assignee_mode', '=', 'everyone'), of(namesInQuery(p('viewer')), '=', 1)]))
            .select((of) => of.fn.countAll<number>().as('count'))
            .as('count'),
        ),
      )
  },
)

/**
 * How many assignments somebody finds in each class: all of those that they manage; of those in which they learn, and which
 * are open to students, what `canSee` shows.
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

/** Forgets that the assignments of a class, or of all, name somebody. Which ones they were. */
export async function deleteAssignee(tx: Transaction, user: string, classId: string | undefined): Promise<string[]> {
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

/** Keeps what is known of an address; harmless where something is known already. */
export const insertWebLink = insertion('web_links', { orIgnore: true })

export async function hasWebLink(queries: Queries, url: string): Promise<boolean> {
  const known = await queries.selectFrom('web_links').select('url').where('url', '=', url).executeTakeFirst()
  return known !== undefined
}

const linksAtOnce = 500

/** Forgets what was said, before that time in milliseconds, of addresses that nobody has attached. Whether there may be more. */
export async function deleteUnusedWebLinks(tx: Transaction, before: number): Promise<boolean> {
  const unused = await tx
    .selectFrom('web_links')
    .select('web_links.url')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('assignment_attachments').select('position').whereRef('url', '=', 'web_links.url'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('submission_attachments').select('position').whereRef('url', '=', 'web_links.url'))),
    )
    .limit(linksAtOnce)
    .execute()
  const urls = unused.map(({ url }) => url)
  if (urls.length > 0) await tx.deleteFrom('web_links').where('url', 'in', urls).execute()
  return urls.length === linksAtOnce
}
