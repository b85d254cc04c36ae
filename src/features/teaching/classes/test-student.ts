import { randomBytes } from 'node:crypto'
import type { Transaction } from '../../../platform/db/database.ts'
import type { UsersTable } from '../../../platform/db/people-tables.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { testStudentsName } from '../../people/groups/names.ts'
import { insertGroup, insertGroupMember, insertSubGroupMember } from '../../people/groups/store.ts'
import { audit } from '../../people/audit/audit.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { newAccount } from '../../people/users/accounts.ts'
import { insertUser } from '../../people/users/store.ts'
import { type ClassRow, findTestStudentsGroup, testStudentsTags } from './store.ts'

/**
 * Creates the account row of a test student of the actor's organization. Its password is random and not
 * disclosed.
 */
export async function newTestStudent(ctx: Context, actor: Member): Promise<UsersTable> {
  const id = ctx.newId()
  const account = await newAccount(
    ctx,
    {
      username: `test-${id}`,
      password: randomBytes(32).toString('base64url'),
      firstname: 'Test',
      lastname: 'Student',
      organization: actor.organization,
      locale: actor.locale,
    },
    id,
  )
  return { ...account, is_test_student: 1 }
}

/** Inserts a test student, and adds it to the class and its group of test students. */
export async function insertTestStudent(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  schoolClass: ClassRow,
  student: UsersTable,
): Promise<void> {
  await insertUser(tx, student)
  const testGroup = await ensureTestStudentsGroup(ctx, tx, schoolClass, actor.locale)
  const member = { user_id: student.id, created_at: ctx.clock.now() }
  await insertGroupMember(tx, { ...member, group_id: schoolClass.students_group_id, placement: 'teacher' })
  await insertSubGroupMember(tx, { ...member, group_id: testGroup })
  const { organization_id: organization } = schoolClass
  const details = { testStudentOf: schoolClass.id }
  await audit(tx, ctx, {
    organization,
    actor: actor.id,
    action: 'user.created',
    subject: student.id,
    details,
  })
}

async function ensureTestStudentsGroup(
  { newId, clock }: Context,
  tx: Transaction,
  schoolClass: ClassRow,
  locale: string,
): Promise<string> {
  const known = await findTestStudentsGroup(tx, schoolClass.id)
  if (known) return known
  const id = newId()
  await insertGroup(tx, {
    id,
    organization_id: schoolClass.organization_id,
    // Not a subgroup, because teachers can rename, change and delete subgroups.
    type: 'generic',
    ...testStudentsName(locale),
    created_at: clock.now(),
    class_id: schoolClass.id,
    parent_id: null,
    tags: testStudentsTags,
  })
  return id
}
