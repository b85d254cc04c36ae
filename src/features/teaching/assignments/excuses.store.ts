import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'

const insertExcuse = insertion('assignment_excuses')

/** Replaces the students who are excused from an assignment. */
export async function replaceExcused(
  tx: Transaction,
  assignment_id: string,
  students: readonly string[],
): Promise<void> {
  await tx.deleteFrom('assignment_excuses').where('assignment_id', '=', assignment_id).execute()
  await Promise.all(students.map((user_id) => insertExcuse(tx, { assignment_id, user_id })))
}

const ofAssignments = compiled((db, p: Params<{ assignments: readonly string[] }>) =>
  db
    .selectFrom('assignment_excuses')
    .innerJoin('users', 'users.id', 'assignment_excuses.user_id')
    .where(p.isIn('assignment_excuses.assignment_id', 'assignments'))
    .where('users.deletion_at', 'is', null)
    .select(['assignment_excuses.assignment_id', 'users.id'])
    .orderBy('users.name_key')
    .orderBy('users.id'),
)

/** Returns the ids of the excused students by assignment, sorted by name. */
export async function listExcused(
  queries: Queries,
  assignments: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = assignments.length > 0 ? await ofAssignments(queries, { assignments }) : []
  const byAssignment = Map.groupBy(rows, ({ assignment_id }) => assignment_id)
  return new Map(
    [...byAssignment].map(([assignment, students]) => [assignment, students.map(({ id }) => id)]),
  )
}

const ofStudent = compiled((db, p: Params<{ student: string }>) =>
  db.selectFrom('assignment_excuses').where('user_id', '=', p('student')).select('assignment_id'),
)

/** Returns the assignments from which a student is excused. */
export async function listExcusedOf(queries: Queries, student: string): Promise<ReadonlySet<string>> {
  const rows = await ofStudent(queries, { student })
  return new Set(rows.map(({ assignment_id }) => assignment_id))
}

/** Deletes the excuses of a student from the assignments of one class or of all. */
export async function deleteExcusesOf(
  tx: Transaction,
  student: string,
  classId: string | undefined,
): Promise<void> {
  await tx
    .deleteFrom('assignment_excuses')
    .where('user_id', '=', student)
    .$if(classId !== undefined, (query) =>
      query.where('assignment_id', 'in', (eb) =>
        eb
          .selectFrom('assignments')
          .where('class_id', '=', classId ?? '')
          .select('id'),
      ),
    )
    .execute()
}
