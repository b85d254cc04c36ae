import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'

interface DueParams {
  /** Only assignments that are due later, or at the same time and with a greater id. */
  due_at: number
  id: string
  /** Only assignments that are due before this time, in milliseconds since 1970. */
  until: number
  limit: number
}

const dueAssignments = compiled((db, p: Params<DueParams>) =>
  db
    .selectFrom('assignments')
    .where('due_at', 'is not', null)
    .where('due_at', '>=', p('due_at'))
    .where((eb) => eb.or([eb('due_at', '>', p('due_at')), eb('id', '>', p('id'))]))
    .where('due_at', '<', p('until'))
    .where('state', '=', 'active')
    // Nothing is handed in.
    .where('type', '!=', 'none')
    .where('class_id', 'is not', null)
    .select(['id', (eb) => eb.ref('due_at').$notNull().as('due_at')])
    .orderBy('due_at')
    .orderBy('id')
    .limit(p('limit')),
)

/** Returns some active assignments that are due within a period, the earliest first. */
export async function listDue(
  queries: Queries,
  { after, ...by }: Pick<DueParams, 'until' | 'limit'> & { after: Pick<DueParams, 'due_at' | 'id'> },
): Promise<{ id: string; due_at: number }[]> {
  return dueAssignments(queries, { ...after, ...by })
}

const doneAlone = compiled((db, p: Params<{ assignment: string }>) =>
  db
    .selectFrom('submissions')
    .where('assignment_id', '=', p('assignment'))
    .where('group_id', 'is', null)
    .where('state', '!=', 'created')
    .select('creator_id as student'),
)
const doneInGroups = compiled((db, p: Params<{ assignment: string }>) =>
  db
    .selectFrom('submissions')
    .innerJoin('group_members', 'group_members.group_id', 'submissions.group_id')
    .where('submissions.assignment_id', '=', p('assignment'))
    .where('submissions.state', '!=', 'created')
    .select('group_members.user_id as student'),
)

/** Returns the students whose work on an assignment, alone or with a group, was handed in, graded or returned. */
export async function listStudentsDone(queries: Queries, assignment: string): Promise<ReadonlySet<string>> {
  const [alone, inGroups] = await Promise.all([
    doneAlone(queries, { assignment }),
    doneInGroups(queries, { assignment }),
  ])
  return new Set([...alone, ...inGroups].map(({ student }) => student))
}
