import type { Display } from '../../../contract/account.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'

const displayOf = compiled((db, p: Params<{ user: string }>) =>
  db
    .selectFrom('users')
    .leftJoin('display_settings', 'display_settings.user_id', 'users.id')
    .where('users.id', '=', p('user'))
    .select(({ exists, selectFrom }) => [
      'display_settings.simple_pages',
      exists(
        selectFrom('simple_classes')
          .innerJoin('classes', 'classes.id', 'simple_classes.class_id')
          .innerJoin('groups', 'groups.class_id', 'classes.id')
          .innerJoin('group_members', 'group_members.group_id', 'groups.id')
          .where('classes.state', '=', 'active')
          .where('groups.type', '=', 'classStudents')
          .whereRef('group_members.user_id', '=', 'users.id')
          .select('classes.id'),
      ).as('has_simple_class'),
    ]),
)

/** Finds how the pages are shown to a user: as the user has chosen, or else as the active classes of the student say. */
export async function findDisplay(queries: Queries, user: string): Promise<Display> {
  const [row] = await displayOf(queries, { user })
  return { simplePages: (row?.simple_pages ?? Number(Boolean(row?.has_simple_class))) === 1 }
}

/** @param simplePages null means as the classes of the user say */
export async function saveDisplay(tx: Transaction, user: string, simplePages: boolean | null): Promise<void> {
  const change = { simple_pages: simplePages === null ? null : Number(simplePages) }
  await tx
    .insertInto('display_settings')
    .values({ user_id: user, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

/** Whether the students of a class get simple pages. */
export async function isSimpleClass(queries: Queries, schoolClass: string): Promise<boolean> {
  const row = await queries
    .selectFrom('simple_classes')
    .where('class_id', '=', schoolClass)
    .select('class_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function saveSimpleClass(
  tx: Transaction,
  schoolClass: string,
  { isSimple, now }: { isSimple: boolean; now: number },
): Promise<void> {
  if (isSimple)
    await tx
      .insertInto('simple_classes')
      .values({ class_id: schoolClass, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await tx.deleteFrom('simple_classes').where('class_id', '=', schoolClass).execute()
}
