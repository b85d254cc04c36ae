import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { UsersTable } from '../../../platform/db/people-tables.ts'
import type { Context } from '../../../context.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import { insertNewClass } from '../classes/new-class.ts'
import { checkClassLimit } from '../classes/policy.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { insertTestStudent } from '../classes/test-student.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { findDemoClassId, replaceDemoClass } from './store.ts'

/** Returns the demo class of a teacher, if the teacher still teaches it and it is not archived. */
export async function findDemoClass(
  queries: Queries,
  { id, organization }: Member,
): Promise<ClassRow | undefined> {
  const known = await findDemoClassId(queries, id)
  const schoolClass = known && (await findClass(queries, { id: known, viewer: id }))
  if (!schoolClass || schoolClass.organization_id !== organization) return undefined
  return schoolClass.viewer_role === 'teacher' && !isReadOnly(schoolClass.state) ? schoolClass : undefined
}

/**
 * Creates the demo class with a test student.
 * @throws CLASSES_EXHAUSTED
 */
export async function createDemoClass(
  ctx: Context,
  tx: Transaction,
  owner: Member,
  student: UsersTable,
): Promise<ClassRow> {
  await checkClassLimit(tx, owner.organization)
  const schoolClass = await insertNewClass(ctx, tx, owner, { name: 'Demo class' })
  await insertTestStudent(ctx, tx, owner, schoolClass, student)
  await replaceDemoClass(tx, { user_id: owner.id, class_id: schoolClass.id })
  return schoolClass
}
