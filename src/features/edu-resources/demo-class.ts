import type { Queries, Transaction } from '../../db/database.ts'
import type { UsersTable } from '../../db/tables.ts'
import type { Context } from '../../operation.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import { insertNewClass } from '../classes/new-class.ts'
import { checkRoomForClass } from '../classes/policy.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { insertTestStudent } from '../classes/test-student.ts'
import type { Member } from '../organizations/policy.ts'
import { findDemoClassId, replaceDemoClass } from './store.ts'

/** The class in which somebody tries assignments out, as long as they teach it and it can be changed. */
export async function findDemoClass(queries: Queries, { id, organization }: Member): Promise<ClassRow | undefined> {
  const known = await findDemoClassId(queries, id)
  const klass = known && (await findClass(queries, { id: known, viewer: id }))
  if (!klass || klass.organization_id !== organization) return undefined
  return klass.viewer_role === 'teacher' && !isReadOnly(klass.state) ? klass : undefined
}

/** Makes that class, with a student. @throws CLASSES_EXHAUSTED */
export async function openDemoClass(
  ctx: Context,
  tx: Transaction,
  owner: Member,
  student: UsersTable,
): Promise<ClassRow> {
  await checkRoomForClass(tx, owner.organization)
  const klass = await insertNewClass(ctx, tx, owner, { name: 'Demo class' })
  await insertTestStudent(ctx, tx, owner, klass, student)
  await replaceDemoClass(tx, { user_id: owner.id, class_id: klass.id })
  return klass
}
