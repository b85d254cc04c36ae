import type { ClassDetails } from '../../../contract/classes.ts'
import type { UserDetails } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { countAssignments } from '../assignments/store.ts'
import { presentGroupDetails } from '../../people/groups/present.ts'
import { type GroupFacts, listGroupIds, listGroupsById } from '../../people/groups/store.ts'
import { presentDetails } from '../../people/users/present.ts'
import { findUser } from '../../people/users/store.ts'
import { canManage, type LoadedClass } from './policy.ts'
import { presentClass } from './present.ts'

/** Presents classes with their groups and the number of assignments that the viewer can see. */
export async function composeClasses(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  viewer: string,
  classes: readonly LoadedClass[],
): Promise<ClassDetails[]> {
  const ids = classes.flatMap(({ schoolClass }) => [
    schoolClass.teachers_group_id,
    schoolClass.students_group_id,
  ])
  const [managed, learned] = [true, false].map((manages) =>
    classes
      .filter(({ relation }) => canManage(relation) === manages)
      .map(({ schoolClass }) => schoolClass.id),
  ) as [string[], string[]]
  const [groups, assignments] = await Promise.all([
    listGroupsById(queries, ids),
    countAssignments(queries, viewer, { managed, learned }, clock.now()),
  ])
  const details = (id: string) => presentGroupDetails(groups.get(id) as GroupFacts)
  return classes.map((loaded) =>
    presentClass(loaded, {
      teachersGroup: details(loaded.schoolClass.teachers_group_id),
      studentsGroup: details(loaded.schoolClass.students_group_id),
      assignmentsCount: assignments.get(loaded.schoolClass.id) ?? 0,
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

/** Presents a test student with the private fields of the account, because its teachers use it. */
export async function composeTestStudent(
  { config }: Context,
  queries: Queries,
  id: string,
): Promise<UserDetails> {
  const [user, groups] = await Promise.all([findUser(queries, { id }), listGroupIds(queries, [id])])
  if (!user) fail('USER_NOT_FOUND')
  return presentDetails(user, config.publicUrl, groups.get(id) ?? [])
}
