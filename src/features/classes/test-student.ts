import { randomBytes } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import type { UsersTable } from '../../db/tables.ts'
import type { Actor, Context } from '../../operation.ts'
import { groupName } from '../groups/names.ts'
import { insertGroup, insertGroupMember } from '../groups/store.ts'
import { audit } from '../audit/audit.ts'
import type { Member } from '../organizations/policy.ts'
import { endSignIns } from '../sessions/ending.ts'
import { newAccount } from '../users/accounts.ts'
import { insertUser, updateRemoval } from '../users/store.ts'
import { type ClassRow, deleteClassMember, findTestStudentsGroup, testStudentsTags } from './store.ts'

/** The account of a student of the actor's organization who tries out a class; nobody knows its password. */
export async function newTestStudent({ newId, clock }: Context, actor: Member): Promise<UsersTable> {
  const id = newId()
  const account = await newAccount(
    {
      username: `test-${id}`,
      password: randomBytes(32).toString('base64url'),
      firstname: 'Test',
      lastname: 'Student',
      organization: actor.organization,
      locale: actor.locale,
    },
    id,
    clock.now(),
  )
  return { ...account, is_test_student: 1 }
}

/** Puts a test student into a class and into the group of those. */
export async function insertTestStudent(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  klass: ClassRow,
  student: UsersTable,
): Promise<void> {
  const created_at = ctx.clock.now()
  await insertUser(tx, student)
  for (const group_id of [klass.students_group_id, await ensureTestStudentsGroup(ctx, tx, klass)]) {
    await insertGroupMember(tx, { group_id, user_id: student.id, created_at })
  }
  const { organization_id: organization } = klass
  const details = { testStudentOf: klass.id }
  await audit(tx, ctx, { organization, actor: actor.id, action: 'user.created', subject: student.id, details })
}

async function ensureTestStudentsGroup({ newId, clock }: Context, tx: Transaction, klass: ClassRow): Promise<string> {
  const known = await findTestStudentsGroup(tx, klass.id)
  if (known) return known
  const id = newId()
  await insertGroup(tx, {
    id,
    organization_id: klass.organization_id,
    // Not a sub-group: those are its teachers' to name, change and delete.
    type: 'generic',
    ...groupName('Test students'),
    created_at: clock.now(),
    class_id: klass.id,
    tags: testStudentsTags,
  })
  return id
}

/**
 * Takes a test student out of the class for good: nobody can use the account any more, and it is deleted when next that is
 * done. Whose tokens are believed is to be forgotten after the commit.
 */
export async function removeTestStudent(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  klass: ClassRow,
  student: string,
): Promise<void> {
  await deleteClassMember(tx, klass.id, student)
  await endSignIns(tx, student)
  await updateRemoval(tx, student, { deletion_at: ctx.clock.now(), removed_by: actor.id })
  const { organization_id: organization } = klass
  await audit(tx, ctx, { organization, actor: actor.id, action: 'user.removed', subject: student })
}
