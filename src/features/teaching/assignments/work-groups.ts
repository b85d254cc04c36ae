import { randomInt } from 'node:crypto'
import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { Context } from '../../../context.ts'
import { groupName } from '../../people/groups/names.ts'
import { insertGroup, insertGroupMember, listSubGroups } from '../../people/groups/store.ts'
import type { ClassRow } from '../classes/store.ts'
import {
  deleteNamedGroup,
  insertNamedGroup,
  listAssignees,
  listGroupMembers,
  listNamedGroups,
  type NamedGroup,
} from './assignees.store.ts'
import { isGroupWork, type Options } from './content.ts'
import { isPublished } from './lifecycle.ts'

/** A group to make for an assignment. `parent` is the subgroup of the class with its members. */
interface PlannedGroup {
  name: Pick<NamedGroup, 'name' | 'name_key'>
  parent: string | null
  members: readonly string[]
}

type GroupWork = Pick<
  AssignmentsTable,
  'id' | 'type' | 'students_mode' | 'assignee_mode' | 'options' | 'published_at' | 'scheduled_at'
>

/**
 * Makes the groups that submit together, once students can see the assignment: one for each group of the class
 * that the assignment names, else one for each group of the class, else groups of the students at random.
 * Group work for named students has only random groups, because the other members of their groups may not see
 * it. Does nothing if the groups exist.
 */
export async function makeWorkGroups(
  ctx: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  schoolClass: ClassRow,
  assignment: GroupWork,
): Promise<void> {
  if (!isGroupWork(assignment) || !isPublished(assignment, ctx.clock.now())) return
  const named = await listNamedGroups(tx, assignment.id)
  const ofClass = named.filter(({ type }) => type === 'classStudentsSubGroup')
  const planned =
    named.length > 0 ? await copiesOf(tx, ofClass) : await groupsFor(tx, schoolClass, assignment)
  for (const group of ofClass) await deleteNamedGroup(tx, assignment.id, group)
  for (const group of planned) {
    const group_id = await insertWorkGroup(ctx, tx, schoolClass, group)
    const automatic = named.length === 0 ? 1 : 0
    await insertNamedGroup(tx, { assignment_id: assignment.id, group_id, automatic })
  }
}

/** Plans the groups of an assignment that names none. */
async function groupsFor(
  tx: Transaction,
  schoolClass: ClassRow,
  { id, assignee_mode, options }: GroupWork,
): Promise<PlannedGroup[]> {
  const { groupSize }: Options = JSON.parse(options)
  if (assignee_mode === 'selected') {
    const students = (await listAssignees(tx, [id])).students.get(id) ?? []
    return randomGroups(
      students.map((student) => student.id),
      groupSize,
    )
  }
  // The oldest first: if a student is in several groups, the oldest one counts.
  const ofClass = (await listSubGroups(tx, { classId: schoolClass.id })).toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  )
  if (ofClass.length > 0) return copiesOf(tx, ofClass)
  // A test student works alone, so that it does not take part in the work of others.
  const students = (await listGroupMembers(tx, [schoolClass.students_group_id]))
    .filter(({ is_test_student }) => is_test_student === 0)
    .map(({ user_id }) => user_id)
  return randomGroups(students, groupSize)
}

async function copiesOf(
  tx: Transaction,
  groups: readonly Pick<NamedGroup, 'id' | 'name' | 'name_key'>[],
): Promise<PlannedGroup[]> {
  if (groups.length === 0) return []
  const ids = groups.map(({ id }) => id)
  const members = Map.groupBy(await listGroupMembers(tx, ids), ({ group_id }) => group_id)
  return groups.map(({ id, name, name_key }) => ({
    name: { name, name_key },
    parent: id,
    members: (members.get(id) ?? []).map(({ user_id }) => user_id),
  }))
}

const defaultGroupSize = 4

/**
 * Divides students into groups of at most `size`, whose sizes differ by at most one. One student alone is no
 * group.
 */
function randomGroups(students: readonly string[], size = defaultGroupSize): PlannedGroup[] {
  if (students.length < 2) return []
  const count = Math.ceil(students.length / size)
  const members = Array.from({ length: count }, (): string[] => [])
  for (const [index, student] of shuffled(students).entries()) members[index % count]?.push(student)
  return members.map((group, index) => ({
    name: groupName(`Group ${index + 1}`),
    parent: null,
    members: group,
  }))
}

function shuffled<Value>(values: readonly Value[]): Value[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(randomInt(rest.length), 1))
}

async function insertWorkGroup(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  schoolClass: ClassRow,
  { name, parent, members }: PlannedGroup,
): Promise<string> {
  const id = newId()
  const created_at = clock.now()
  await insertGroup(tx, {
    id,
    organization_id: schoolClass.organization_id,
    class_id: schoolClass.id,
    type: 'assignmentStudentsSubGroup',
    ...name,
    parent_id: parent,
    tags: '[]',
    created_at,
  })
  await Promise.all(
    members.map((user_id) => insertGroupMember(tx, { group_id: id, user_id, created_at, placement: null })),
  )
  return id
}
