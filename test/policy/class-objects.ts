import type { State } from '../../src/features/teaching/classes/lifecycle.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../support/classes.ts'
import { newGroup } from '../support/sharing.ts'
import type { ObjectKind, Relation } from './objects.ts'
import type { Caller, World } from './world.ts'

/** Tess and Theo teach the class. Sam and Sol are its students, and Sam is in the subgroup. */
const staff: readonly Caller[] = ['owner', 'teacher', 'teacherOfAnotherClass', 'admin']
export const managers: readonly Caller[] = ['owner', 'teacher', 'admin']
export const students: readonly Caller[] = ['student', 'otherStudent']

const relationOf =
  (readers: readonly Caller[]) =>
  (caller: Caller): Relation =>
    managers.includes(caller) ? 'administrator' : readers.includes(caller) ? 'reader' : 'none'

export async function makeClass({ app, school, as }: World, state: State = 'active'): Promise<TestClass> {
  return newClass(app, school, {
    teachers: [as.owner, as.teacher],
    students: [as.student, as.otherStudent],
    state,
  })
}

async function makeSubGroup(world: World, state: State = 'active'): Promise<string> {
  const schoolClass = await makeClass(world)
  const group = await newSubGroup(world.owner, schoolClass, 'Violins', world.as.student)
  await setClassState(world.app, schoolClass, state)
  return group
}

/** Sam can leave the class. */
export const classes = {
  'a class': {
    make: async (world) => (await makeClass(world)).id,
    relation: relationOf(students),
    holders: ['student'],
  },
  'a class that is not active yet': {
    make: async (world) => (await makeClass(world, 'inactive')).id,
    relation: relationOf([]),
  },
  'an archived class': {
    make: async (world) => (await makeClass(world, 'archived')).id,
    relation: relationOf(students),
    holders: ['student'],
  },
} as const satisfies Record<string, ObjectKind>

const members = relationOf([...staff, ...students])

/** In the tests, the enrollment code of a class is its id. Every caller with the code may join. */
export const enrollmentCodes = {
  'the code of a class': { make: classes['a class'].make, relation: members },
  'the code of a class that is not active yet': {
    make: classes['a class that is not active yet'].make,
    relation: relationOf(staff),
  },
  'the code of an archived class': { make: classes['an archived class'].make, relation: members },
} as const satisfies Record<string, ObjectKind>

const asQuery = async (_world: World, id: string) => `?type=classStudentsSubGroup&classroom=${id}`

/** The class is named in the query. */
export const groupsOfClasses = {
  'the groups of a class': {
    make: async (world) => (await makeClass(world)).id,
    relation: relationOf(students),
    query: asQuery,
  },
  'the groups of a class that is not active yet': {
    make: async (world) => (await makeClass(world, 'inactive')).id,
    relation: relationOf([]),
    query: asQuery,
  },
  'the groups of an archived class': {
    make: async (world) => (await makeClass(world, 'archived')).id,
    relation: relationOf(students),
    query: asQuery,
  },
} as const satisfies Record<string, ObjectKind>

/** The holders are the members of the group. */
export const groups = {
  'a subgroup': { make: makeSubGroup, relation: relationOf(['student']), holders: ['student'] },
  'a subgroup of a class that is not active yet': {
    make: (world) => makeSubGroup(world, 'inactive'),
    relation: relationOf([]),
  },
  'a subgroup of an archived class': {
    make: (world) => makeSubGroup(world, 'archived'),
    relation: relationOf(['student']),
    holders: ['student'],
  },
  'the students of a class': {
    make: async (world) => (await makeClass(world)).studentsGroup,
    relation: relationOf(students),
    holders: students,
  },
  'the teachers of a class': {
    make: async (world) => (await makeClass(world)).teachersGroup,
    relation: relationOf(students),
  },
  'a group of no class': {
    make: ({ app, school, as }) => newGroup(app, school, 'Orchestra', as.student),
    relation: (caller) =>
      caller === 'admin'
        ? 'administrator'
        : staff.includes(caller) || caller === 'student'
          ? 'reader'
          : 'none',
    holders: ['student'],
  },
} as const satisfies Record<string, ObjectKind>
