import type { OrganizationRole } from '../../../contract/users.ts'
import { openScratch } from '../../../platform/db/scratch.ts'
import type { RowLocation } from './problems.ts'

/** A person in a roster. Columns without a value are null. */
export interface StagedPerson extends RowLocation {
  n: number
  key: string
  external_id: string | null
  username: string
  username_key: string
  email: string | null
  firstname: string | null
  lastname: string | null
  role: StagedRole | null
  password: string | null
  /** The account, if it exists. */
  user_id: string | null
}
export type StagedRole = Exclude<OrganizationRole, 'accountAdmin'>
export type NewPerson = Omit<StagedPerson, 'n' | 'user_id'> & { skipped: 0 | 1 }

/** A class in a roster. */
export interface StagedClass extends RowLocation {
  n: number
  key: string
  external_id: string | null
  name: string
  name_key: string
}

/** A subgroup of a class in a roster. */
export interface StagedGroup extends RowLocation {
  n: number
  class_n: number
  name: string
  name_key: string
  class_id: string | null
}

/**
 * What the lookup finds: `new` if the membership does not exist, `changed` if the roster replaces a placement that counts less
 * (features/teaching/classes/placements.ts), `known` if nothing needs to change.
 */
export type MembershipState = 'new' | 'changed' | 'known'

/** A membership of a person in a class, or in a subgroup of it. */
export interface StagedMembership extends RowLocation {
  n: number
  class_n: number
  user_id: string | null
  is_student: 0 | 1
  is_group: 0 | 1
  state: MembershipState
  /** The group in the database, or null if it does not exist yet. */
  group_id: string | null
}

/** The result of a lookup or a write for a person. */
export interface StagedAccount {
  user_id: string | null
  is_student: 0 | 1
  /** Removed and skipped persons do not become members of classes. */
  skipped: 0 | 1
}
export interface StagedClassRow {
  class_id: string | null
  teachers_group_id: string | null
  students_group_id: string | null
  is_archived: 0 | 1
}

const schema = `
  create table people (
    n integer primary key, key text not null unique, file text not null, line integer not null, external_id text,
    username text not null, username_key text not null, email text, firstname text, lastname text, role text,
    password text, skipped integer not null, user_id text, is_student integer not null default 0
  );
  create index people_by_username on people (username_key);
  create table classes (
    n integer primary key, key text not null unique, file text not null, line integer not null, external_id text,
    name text not null, name_key text not null, class_id text, teachers_group_id text, students_group_id text,
    is_archived integer not null default 0
  );
  create index classes_by_name on classes (name_key);
  create table groups (
    n integer primary key, class_n integer not null, file text not null, line integer not null, name text not null,
    name_key text not null, group_id text, unique (class_n, name_key)
  );
  create table memberships (
    n integer primary key, class_n integer not null, group_n integer not null, person_n integer not null,
    is_primary integer not null, state text not null default 'new', file text not null, line integer not null,
    unique (class_n, group_n, person_n)
  );`

/**
 * A roster in tables of a temporary database on disk, because its lines refer to one another in any order and
 * may not fit in memory. `n` numbers the rows of each table from 1, in the order of the roster.
 */
export function openStaging() {
  const scratch = openScratch(schema)
  const { prepare } = scratch
  const personBy = {
    key: prepare<StagedPerson>('select * from people where key = ?'),
    username: prepare<StagedPerson>('select * from people where username_key = ? order by n limit 1'),
  }
  const addPerson = prepare(`
    insert into people (key, file, line, external_id, username, username_key, email, firstname, lastname, role, password,
      skipped)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const fillPerson = prepare(`
    update people set email = coalesce(email, ?), firstname = coalesce(firstname, ?), lastname = coalesce(lastname, ?),
      role = coalesce(role, ?), password = coalesce(password, ?) where n = ?`)
  const setRole = prepare('update people set role = ? where n = ?')
  const people = prepare<StagedPerson>('select * from people where n > ? and skipped = 0 order by n limit ?')
  const settlePerson = prepare('update people set user_id = ?, is_student = ?, skipped = ? where n = ?')
  const classByKey = prepare<StagedClass>('select * from classes where key = ?')
  const addClass = prepare(
    'insert into classes (key, file, line, external_id, name, name_key) values (?, ?, ?, ?, ?, ?)',
  )
  const classes = prepare<StagedClass>('select * from classes where n > ? order by n limit ?')
  const settleClass = prepare(
    'update classes set class_id = ?, teachers_group_id = ?, students_group_id = ?, is_archived = ? where n = ?',
  )
  const classesOfName = prepare<{ count: number }>('select count(*) as count from classes where name_key = ?')
  const teacherOf = prepare<{ n: number; user_id: string | null }>(`
    select people.n, people.user_id from memberships join people on people.n = person_n
    where class_n = ? and group_n = 0 and is_student = 0 and skipped = 0 order by is_primary desc, memberships.n limit 1`)
  const groupByName = prepare<{ n: number }>('select n from groups where class_n = ? and name_key = ?')
  const addGroup = prepare('insert into groups (class_n, file, line, name, name_key) values (?, ?, ?, ?, ?)')
  const groups = prepare<StagedGroup>(`
    select groups.*, class_id from groups join classes on classes.n = class_n
    where groups.n > ? and is_archived = 0 order by groups.n limit ?`)
  const settleGroup = prepare('update groups set group_id = ? where n = ?')
  const addMembership = prepare(`
    insert into memberships (class_n, group_n, person_n, is_primary, file, line) values (?, ?, ?, ?, ?, ?)
    on conflict (class_n, group_n, person_n) do update set is_primary = max(is_primary, excluded.is_primary)`)
  const memberships = prepare<StagedMembership>(`
    select memberships.n, memberships.class_n, memberships.file, memberships.line, people.user_id, people.is_student,
      memberships.group_n > 0 as is_group, memberships.state,
      case when memberships.group_n > 0 then groups.group_id when people.is_student = 1 then classes.students_group_id
        else classes.teachers_group_id end as group_id
    from memberships join people on people.n = person_n join classes on classes.n = memberships.class_n
      left join groups on groups.n = memberships.group_n
    where memberships.n > ? and skipped = 0 and is_archived = 0 order by memberships.n limit ?`)
  const settleMembership = prepare('update memberships set state = ? where n = ?')
  const counts = prepare<
    Record<'people' | 'classes' | 'groups' | 'memberships' | 'passwords' | 'skipped', number>
  >(`
    select (select count(*) from people where skipped = 0) as people, (select count(*) from classes) as classes,
      (select count(*) from groups) as groups, (select count(*) from memberships) as memberships,
      (select count(*) from people where skipped = 0 and password is not null) as passwords,
      (select count(*) from people where skipped = 1) as skipped`)
  const withoutRole = prepare('update people set skipped = 1 where role is null')

  return {
    findPerson: (by: 'key' | 'username', value: string) => personBy[by].get(value),
    addPerson: (person: NewPerson) =>
      addPerson.run(
        ...[person.key, person.file, person.line, person.external_id, person.username, person.username_key],
        ...[person.email, person.firstname, person.lastname, person.role, person.password, person.skipped],
      ),
    /** Fills the columns that earlier lines left empty. */
    fillPerson: (n: number, { email, firstname, lastname, role, password }: NewPerson) =>
      fillPerson.run(email, firstname, lastname, role, password, n),
    setRole: (n: number, role: StagedRole) => setRole.run(role, n),
    skipPeopleWithoutRole: () => withoutRole.run(),
    people: (after: number, limit: number) => people.all(after, limit),
    settlePerson: (n: number, { user_id, is_student, skipped }: StagedAccount) =>
      settlePerson.run(user_id, is_student, skipped, n),
    findClass: (key: string) => classByKey.get(key),
    addClass: (schoolClass: Omit<StagedClass, 'n'>) =>
      addClass.run(
        schoolClass.key,
        schoolClass.file,
        schoolClass.line,
        schoolClass.external_id,
        schoolClass.name,
        schoolClass.name_key,
      ),
    classes: (after: number, limit: number) => classes.all(after, limit),
    settleClass: (
      n: number,
      { class_id, teachers_group_id, students_group_id, is_archived }: StagedClassRow,
    ) => settleClass.run(class_id, teachers_group_id, students_group_id, is_archived, n),
    countClassesOfName: (nameKey: string) => classesOfName.get(nameKey)?.count ?? 0,
    /** Returns the owner of a new class: the primary teacher, or else the first teacher. */
    findTeacher: (classN: number) => teacherOf.get(classN),
    /** Returns the number of a group of a class. Creates the group if it does not exist. */
    ensureGroup(
      classN: number,
      { file, line }: RowLocation,
      name: { name: string; name_key: string },
    ): number {
      const find = () => groupByName.get(classN, name.name_key)?.n
      if (find() === undefined) addGroup.run(classN, file, line, name.name, name.name_key)
      return find() ?? 0
    },
    groups: (after: number, limit: number) => groups.all(after, limit),
    settleGroup: (n: number, group: string | null) => settleGroup.run(group, n),
    /** @param group number of a group of the class, 0 for the class itself */
    addMembership: (
      person: number,
      schoolClass: number,
      group: number,
      { file, line }: RowLocation,
      isPrimary = false,
    ) => addMembership.run(schoolClass, group, person, isPrimary ? 1 : 0, file, line),
    memberships: (after: number, limit: number) => memberships.all(after, limit),
    settleMembership: (n: number, state: MembershipState) => settleMembership.run(state, n),
    counts: () => counts.get() as NonNullable<ReturnType<typeof counts.get>>,
    close: scratch.close,
  }
}

export type Staging = ReturnType<typeof openStaging>
