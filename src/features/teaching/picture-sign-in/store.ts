import type { PupilSymbol } from '../../../contract/sign-in-pictures.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ClassPinsTable } from '../../../platform/db/sign-in-tables.ts'
import type { Credentials } from '../../people/users/store.ts'

/** The students of a class by its students group. */
const studentsOf = (queries: Pick<Queries, 'selectFrom'>) =>
  queries
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.id')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('groups.type', '=', 'classStudents')
    .where('users.organization_role', '=', 'user')
    .where('users.deletion_at', 'is', null)

export interface StudentRow {
  readonly id: string
  readonly username: string
  readonly firstname: string | null
  readonly lastname: string | null
  /** Null without a PIN. */
  readonly symbol: PupilSymbol | null
  readonly is_test_student: number
}

/** Lists the students of a class, with those who have no PIN. */
export async function listStudents(queries: Queries, schoolClass: string): Promise<StudentRow[]> {
  return studentsOf(queries)
    .leftJoin('class_pins', (join) =>
      join.onRef('class_pins.class_id', '=', 'groups.class_id').onRef('class_pins.user_id', '=', 'users.id'),
    )
    .where('groups.class_id', '=', schoolClass)
    .select([
      'users.id',
      'users.username',
      'users.firstname',
      'users.lastname',
      'users.is_test_student',
      'class_pins.symbol',
    ])
    .orderBy('users.name_key')
    .orderBy('users.id')
    .execute()
}

/** A class whose sign-in page is open. */
export interface ClassSignIn {
  readonly id: string
  readonly name: string
}

const classByCode = compiled((db, p: Params<{ code: string }>) =>
  db
    .selectFrom('class_sign_ins')
    .innerJoin('classes', 'classes.id', 'class_sign_ins.class_id')
    .innerJoin('organizations', 'organizations.id', 'classes.organization_id')
    .where('class_sign_ins.code', '=', p('code'))
    .where('classes.state', '=', 'active')
    .where('organizations.allows_picture_sign_in', '=', 1)
    .where('organizations.requires_provider', '=', 0)
    .select(['classes.id', 'classes.name']),
)

/** Finds the class of a sign-in page, if its organization allows the page and the class is active. */
export async function findClassSignIn(queries: Queries, code: string): Promise<ClassSignIn | undefined> {
  const [row] = await classByCode(queries, { code })
  return row
}

/** A student who can sign in on the page of a class. */
export interface PinHolder extends Credentials {
  readonly username: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly symbol: PupilSymbol
}

const pinHolders = compiled((db, p: Params<{ class: string }>) =>
  studentsOf(db)
    .innerJoin('class_pins', (join) =>
      join.onRef('class_pins.class_id', '=', 'groups.class_id').onRef('class_pins.user_id', '=', 'users.id'),
    )
    .where('groups.class_id', '=', p('class'))
    // Two-step sign-in is the choice of a student, whom a PIN must not get around.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('second_factors')
            .whereRef('second_factors.user_id', '=', 'users.id')
            .where('second_factors.confirmed_at', 'is not', null)
            .select('second_factors.user_id'),
        ),
      ),
    )
    .select([
      'users.id',
      'users.username',
      'users.firstname',
      'users.lastname',
      'class_pins.symbol',
      'class_pins.pin_hash as password_hash',
    ])
    .orderBy('users.firstname')
    .orderBy('users.id'),
)

/** Lists the students of a class who can sign in with a PIN: no account with another role, and none with a second factor. */
export async function listPinHolders(queries: Queries, schoolClass: string): Promise<PinHolder[]> {
  return pinHolders(queries, { class: schoolClass })
}

/** Returns the code of the sign-in page of a class. */
export async function findCode(queries: Queries, schoolClass: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('class_sign_ins')
    .where('class_id', '=', schoolClass)
    .select('code')
    .executeTakeFirst()
  return row?.code
}

export const insertClassSignIn = insertion('class_sign_ins')
const insertPin = insertion('class_pins')

/** Gives a student a PIN instead of the one before. */
export async function replacePin(tx: Transaction, pin: ClassPinsTable): Promise<void> {
  await deletePins(tx, { class: pin.class_id, user: pin.user_id })
  await insertPin(tx, pin)
}

/** Deletes the PINs of a student, in one class or in all. */
export async function deletePins(tx: Transaction, of: { class?: string; user: string }): Promise<void> {
  await tx
    .deleteFrom('class_pins')
    .where('user_id', '=', of.user)
    .$if(of.class !== undefined, (query) => query.where('class_id', '=', of.class ?? ''))
    .execute()
}

/** Deletes the sign-in page of a class with its PINs. Returns the ids of the students who had one. */
export async function deleteClassSignIn(tx: Transaction, schoolClass: string): Promise<string[]> {
  const pins = await tx
    .deleteFrom('class_pins')
    .where('class_id', '=', schoolClass)
    .returning('user_id')
    .execute()
  await tx.deleteFrom('class_sign_ins').where('class_id', '=', schoolClass).execute()
  return pins.map(({ user_id }) => user_id)
}
