import type { State } from '../../src/features/teaching/classes/lifecycle.ts'
import { newAssignmentIn } from '../support/assignments.ts'
import { newSubGroup } from '../support/classes.ts'
import { storeSubmission } from '../support/submissions.ts'
import { makeClass, managers, students } from './class-objects.ts'
import type { ObjectKind, Relation } from './objects.ts'
import type { Caller, World } from './world.ts'

/**
 * A submission of Sam in a class that Tess and Theo teach. Sol is a student of the class too. The relation of
 * the teachers is stronger than that of the students.
 */
const toTeachers =
  (readers: readonly Caller[]) =>
  (caller: Caller): Relation =>
    caller === 'owner'
      ? 'owner'
      : managers.includes(caller)
        ? 'administrator'
        : readers.includes(caller)
          ? 'reader'
          : 'none'

/** Only students can change their submission. Callers who manage the class can read it. */
const toStudents =
  (workers: readonly Caller[]) =>
  (caller: Caller): Relation =>
    workers.includes(caller) ? 'owner' : managers.includes(caller) ? 'reader' : 'none'

async function makeSubmission(world: World, state: State = 'active'): Promise<string> {
  const { id } = await makeClass(world, state)
  return (await storeSubmission(world.app, id, world.as.student)).submission
}

/** Creates a submission of Sam for a group with these members. */
const makeGroupWork =
  (...members: readonly ('student' | 'otherStudent')[]) =>
  async (world: World): Promise<string> => {
    const { app, as, owner } = world
    const schoolClass = await makeClass(world)
    const group_id = await newSubGroup(owner, schoolClass, 'Duo', ...members.map((member) => as[member]))
    return (await storeSubmission(app, schoolClass.id, as.student, { group_id, holder_id: group_id }))
      .submission
  }

async function makeAssignment(world: World, state: State = 'active'): Promise<string> {
  return newAssignmentIn(world, (await makeClass(world, state)).id)
}

function inEachState(
  make: (world: World, state?: State) => Promise<string>,
  name: string,
  relationTo: (callers: readonly Caller[]) => ObjectKind['relation'],
  callers: readonly Caller[],
): Record<string, ObjectKind> {
  return {
    [name]: { make: (world) => make(world), relation: relationTo(callers) },
    [`${name} in a class that is not active yet`]: {
      make: (world) => make(world, 'inactive'),
      relation: relationTo([]),
    },
    [`${name} in an archived class`]: {
      make: (world) => make(world, 'archived'),
      relation: relationTo(callers),
    },
  }
}

export const submissions = {
  ...inEachState(makeSubmission, 'a submission', toTeachers, ['student']),
  'a submission of a group': {
    make: makeGroupWork('student', 'otherStudent'),
    relation: toTeachers(students),
  },
  'a submission of a group that its student has left': {
    make: makeGroupWork('otherStudent'),
    relation: toTeachers(['otherStudent']),
  },
}
/** An assignment, with the relations of callers to its submissions as a whole. */
export const assignments = inEachState(makeAssignment, 'an assignment', toTeachers, students)
/** An assignment, with the relations of callers as students who work on it. */
export const works = inEachState(makeAssignment, 'an assignment', toStudents, students)

/** Returns the class and the assignment of a submission. */
export async function placeOf(
  { app }: World,
  submission: string,
): Promise<{ class: string; assignment: string }> {
  return app.ctx.db.read
    .selectFrom('submissions')
    .where('id', '=', submission)
    .select(['class_id as class', 'assignment_id as assignment'])
    .executeTakeFirstOrThrow()
}

/** Returns the class of an assignment. */
export async function classOf({ app }: World, assignment: string): Promise<string> {
  const row = await app.ctx.db.read
    .selectFrom('assignments')
    .where('id', '=', assignment)
    .select('class_id')
    .executeTakeFirstOrThrow()
  return row.class_id ?? ''
}
