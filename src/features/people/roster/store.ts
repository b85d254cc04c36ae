import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Placement } from '../../../platform/db/tables.ts'
import { limitedStates } from '../../teaching/classes/lifecycle.ts'
import { selectClassGroups } from '../../teaching/classes/store.ts'

// Each row is looked up by a query of its own, and many queries run in parallel. With a list of keys,
// PostgreSQL would scan a small table for every query.

function selectPeople(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'username_key',
      'firstname',
      'lastname',
      'email',
      'email_key',
      'email_verified',
    ])
    .select([
      'email_vouched',
      'organization_id',
      'organization_role',
      'external_id',
      'deletion_at',
      'is_test_student',
    ])
}

const personByExternalId = compiled((db, p: Params<{ organization: string; id: string }>) =>
  selectPeople(db).where('organization_id', '=', p('organization')).where('external_id', '=', p('id')),
)
const personByName = compiled((db, p: Params<{ name: string }>) =>
  selectPeople(db).where('username_key', '=', p('name')),
)

export type KnownPerson = Awaited<ReturnType<typeof personByName>>[number]

/** Finds the account of an organization with this id of a roster, even a removed one. */
export async function findPersonByExternalId(
  queries: Queries,
  by: { organization: string; id: string },
): Promise<KnownPerson | undefined> {
  const [person] = await personByExternalId(queries, by)
  return person
}

/** Finds the account of any organization by the key of its username, even a removed one. */
export async function findPersonByName(
  queries: Queries,
  by: { name: string },
): Promise<KnownPerson | undefined> {
  const [person] = await personByName(queries, by)
  return person
}

function selectClasses(db: Pick<Queries, 'selectFrom'>) {
  return selectClassGroups(db).select(['classes.id', 'classes.name', 'classes.state']).orderBy('classes.id')
}

const classByExternalId = compiled((db, p: Params<{ organization: string; id: string }>) =>
  selectClasses(db)
    .where('classes.organization_id', '=', p('organization'))
    .where('classes.external_id', '=', p('id')),
)
const classesByName = compiled((db, p: Params<{ organization: string; name: string }>) =>
  selectClasses(db)
    .where('teachers.organization_id', '=', p('organization'))
    .where('teachers.name_key', '=', p('name'))
    .where('classes.state', 'in', limitedStates),
)

export type KnownClass = Awaited<ReturnType<typeof classesByName>>[number]

/** Lists the classes of an organization with this id of a roster, even archived ones. */
export async function listClassesByExternalId(
  queries: Queries,
  by: { organization: string; id: string },
): Promise<KnownClass[]> {
  return classByExternalId(queries, by)
}

/**
 * Lists the classes of an organization with this key of the name, without archived ones. Several classes may
 * have the same name.
 */
export async function listClassesByName(
  queries: Queries,
  by: { organization: string; name: string },
): Promise<KnownClass[]> {
  return classesByName(queries, by)
}

const subGroup = compiled((db, p: Params<{ classId: string; name: string }>) =>
  db
    .selectFrom('groups')
    .where('class_id', '=', p('classId'))
    .where('type', '=', 'classStudentsSubGroup')
    .where('name_key', '=', p('name'))
    .select('id'),
)

/** Returns the id of a subgroup of a class by the key of its name. */
export async function findSubGroup(
  queries: Queries,
  by: { classId: string; name: string },
): Promise<string | undefined> {
  const [group] = await subGroup(queries, by)
  return group?.id
}

const membership = compiled((db, p: Params<{ group: string; user: string }>) =>
  db
    .selectFrom('group_members')
    .where('group_id', '=', p('group'))
    .where('user_id', '=', p('user'))
    .select('placement'),
)

/** Finds the membership of a user in a group. */
export async function findMembership(
  queries: Queries,
  by: { group: string; user: string },
): Promise<{ placement: Placement | null } | undefined> {
  const [member] = await membership(queries, by)
  return member
}
