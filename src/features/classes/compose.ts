import type { ClassDetails } from '../../contract/classes.ts'
import type { UserDetails } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { countAssignments } from '../assignments/store.ts'
import { presentGroupDetails } from '../groups/present.ts'
import { type GroupFacts, listGroupIds, listGroupsById } from '../groups/store.ts'
import { presentDetails } from '../users/present.ts'
import { findUser } from '../users/store.ts'
import { canManage, type LoadedClass } from './policy.ts'
import { presentClass } from './present.ts'

/** Classes as they are answered, with their groups and how many assignments the viewer finds in them. */
export async function composeClasses(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  viewer: string,
  classes: readonly LoadedClass[],
): Promise<ClassDetails[]> {
  const ids = classes.flatMap(({ klass }) => [klass.teachers_group_id, klass.students_group_id])
  const [managed, learned] = [true, false].map((manages) =>
    classes.filter(({ standing }) => canManage(standing) === manages).map(({ klass }) => klass.id),
  ) as [string[], string[]]
  const [groups, assignments] = await Promise.all([
    listGroupsById(queries, ids),
    countAssignments(queries, viewer, { managed, learned }, clock.now()),
  ])
  const details = (id: string) => presentGroupDetails(groups.get(id) as GroupFacts)
  return classes.map((loaded) =>
    presentClass(loaded, {
      teachersGroup: details(loaded.klass.teachers_group_id),
      studentsGroup: details(loaded.klass.students_group_id),
      assignmentsCount: assignments.get(loaded.klass.id) ?? 0,
    }),
  )
}

export async function composeClass(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  viewer: string,
  loaded: LoadedClass,
): Promise<ClassDetails> {
  const [details] = await composeClasses(ctx, queries, viewer, [loaded])
  return details as ClassDetails
}

/** A test student with what else is told to the user alone: the account is the teachers' to use. */
export async function composeTestStudent({ config }: Context, queries: Queries, id: string): Promise<UserDetails> {
  const [user, groups] = await Promise.all([findUser(queries, { id }), listGroupIds(queries, [id])])
  if (!user) fail('USER_NOT_FOUND')
  return presentDetails(user, config.publicUrl, groups.get(id) ?? [])
}
