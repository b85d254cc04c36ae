import type { CsvLine } from './csv.ts'
import { readCsv } from './csv.ts'
import { personOf, stageClass } from './lines.ts'
import type { Problems } from './problems.ts'
import type { RosterSource } from './source.ts'
import type { StagedRole, Staging } from './staging.ts'

/**
 * The files and columns of OneRoster 1.2, CSV binding, that the import reads: users (users.csv), their roles
 * (roles.csv), classes (classes.csv) and members of classes (enrollments.csv). All schools of a district
 * become one organization.
 */
const tables = {
  'users.csv': {
    read: ['sourcedId', 'status', 'enabledUser', 'username', 'givenName', 'familyName', 'email', 'password'],
    required: ['sourcedId', 'username', 'givenName', 'familyName'],
  },
  'roles.csv': {
    read: ['userSourcedId', 'status', 'role', 'endDate'],
    required: ['userSourcedId', 'role'],
  },
  'classes.csv': { read: ['sourcedId', 'status', 'title'], required: ['sourcedId', 'title'] },
  'enrollments.csv': {
    read: ['classSourcedId', 'userSourcedId', 'status', 'primary', 'endDate'],
    required: ['classSourcedId', 'userSourcedId'],
  },
} as const
type Table = keyof typeof tables
type ColumnOf<Of extends Table> = (typeof tables)[Of]['read'][number]

/**
 * The role in the organization for each role of OneRoster. Users with other roles, such as parents and
 * guardians, are skipped.
 */
const roles: Readonly<Record<string, StagedRole>> = {
  student: 'user',
  teacher: 'teacher',
  aide: 'teacher',
  counselor: 'teacher',
  proctor: 'teacher',
  // An administrator of school records does not become an administrator of the organization.
  principal: 'teacher',
  siteAdministrator: 'teacher',
  districtAdministrator: 'teacher',
  systemAdministrator: 'teacher',
}

const personColumns = { id: 'sourcedId', firstname: 'givenName', lastname: 'familyName' }

interface Reading {
  staging: Staging
  source: RosterSource
  problems: Problems
  /** In the format of OneRoster: 2026-09-01. */
  today: string
}

/** Reads the files of OneRoster 1.2 in `bulk` mode. */
export async function stageOneRoster(reading: Reading): Promise<void> {
  const tablesPresent = await readManifest(reading)
  if (!tablesPresent) return
  for (const [table, stage] of stages) {
    if (tablesPresent.has(table)) await stage(reading)
  }
}

const stages = [
  ['users.csv', stageUsers],
  ['roles.csv', stageRoles],
  ['classes.csv', stageClasses],
  ['enrollments.csv', stageEnrollments],
] as const

/** Returns the tables that the roster contains, or undefined if the roster cannot be read. */
async function readManifest({ source, problems }: Reading): Promise<ReadonlySet<Table> | undefined> {
  const file = 'manifest.csv'
  const bytes = await source.read(file)
  if (!bytes) {
    problems.addOverall('There is no manifest.csv. Expected OneRoster 1.2 or a CSV file')
    return undefined
  }
  const columnNames = ['propertyName', 'value'] as const
  const properties = new Map<string, { value: string; line: number }>()
  for await (const { line, cells } of readCsv(file, bytes, columnsOf(columnNames, columnNames), problems)) {
    if (cells.propertyName) properties.set(cells.propertyName, { value: cells.value ?? '', line })
  }
  const version = properties.get('oneroster.version')
  if (version?.value !== '1.2') {
    const problem = `is “${version?.value ?? ''}”; only OneRoster 1.2 is read`
    problems.add({ file, line: version?.line ?? 1 }, 'oneroster.version', problem)
    return undefined
  }
  const found = new Set<Table>()
  for (const table of Object.keys(tables) as Table[]) {
    const name = `file.${table.replace('.csv', '')}`
    const { value = 'absent', line = 1 } = properties.get(name) ?? {}
    const isRequired = table === 'users.csv' || table === 'roles.csv'
    if (value === 'bulk') found.add(table)
    else if (value !== 'absent')
      problems.add({ file, line }, name, `is “${value}”, but only “bulk” files are supported`)
    else if (isRequired) problems.add({ file, line }, name, 'is missing; users and roles are required')
  }
  return found
}

const columnsOf = <Column extends string>(read: readonly Column[], required: readonly Column[]) => ({
  nameOf: (heading: string) => read.find((name) => name === heading),
  required,
})

/** Yields the lines of a table. In `bulk` mode every line is active. */
async function* linesOf<Of extends Table>(
  { source, problems }: Reading,
  table: Of,
): AsyncGenerator<CsvLine<ColumnOf<Of> | 'status'>> {
  const bytes = await source.read(table)
  if (!bytes) return problems.addOverall(`There is no ${table}, but manifest.csv lists it`)
  const { read, required } = tables[table] as unknown as Record<'read' | 'required', readonly ColumnOf<Of>[]>
  for await (const csvLine of readCsv<ColumnOf<Of> | 'status'>(
    table,
    bytes,
    columnsOf(read, required),
    problems,
  )) {
    const { status = 'active' } = csvLine.cells as { status?: string }
    if (status === 'active') yield csvLine
    else
      problems.add(
        { file: table, line: csvLine.line },
        'status',
        `is “${status}”, but every row of a “bulk” file is “active”`,
      )
  }
}

/** Returns a required cell of a line. Reports a problem if it is empty. */
function requiredCell<Column extends string>(
  file: string,
  { line, cells }: CsvLine<Column>,
  column: Column,
  problems: Problems,
): string | undefined {
  const cell = cells[column]
  if (cell === undefined) problems.add({ file, line }, column, 'is missing')
  return cell
}

async function stageUsers(reading: Reading): Promise<void> {
  const { staging, problems } = reading
  const file = 'users.csv'
  for await (const csvLine of linesOf(reading, file)) {
    const { line, cells } = csvLine
    const location = { file, line }
    const id = requiredCell(file, csvLine, 'sourcedId', problems)
    if (id === undefined) continue
    const { username, givenName: firstname, familyName: lastname, email, password } = cells
    const skipped = cells.enabledUser === 'false'
    const personCells = { id, username, firstname, lastname, email, password, skipped }
    const person = personOf(location, personCells, personColumns, problems)
    if (!person) continue
    const earlier = staging.findPerson('key', person.key)
    const namesake = staging.findPerson('username', person.username_key)
    if (earlier) problems.add(location, 'sourcedId', `is already in line ${earlier.line}`)
    else if (namesake) problems.add(location, 'username', `is already in line ${namesake.line}`)
    else staging.addPerson(person)
  }
}

async function stageRoles(reading: Reading): Promise<void> {
  const { staging, problems, today } = reading
  const file = 'roles.csv'
  for await (const csvLine of linesOf(reading, file)) {
    const id = requiredCell(file, csvLine, 'userSourcedId', problems)
    const roleCell = requiredCell(file, csvLine, 'role', problems)
    if (id === undefined || roleCell === undefined || hasEnded(csvLine, today)) continue
    const person = staging.findPerson('key', `id ${id}`)
    if (!person) {
      problems.add(
        { file, line: csvLine.line },
        'userSourcedId',
        `is “${id}”, but users.csv has no such user`,
      )
      continue
    }
    const role = Object.hasOwn(roles, roleCell) ? roles[roleCell] : undefined
    // A teacher with several roles stays a teacher.
    if (role && person.role !== 'teacher') staging.setRole(person.n, role)
  }
  staging.skipPeopleWithoutRole()
}

async function stageClasses(reading: Reading): Promise<void> {
  const { staging, problems } = reading
  const file = 'classes.csv'
  const columns = { id: 'sourcedId', name: 'title' }
  for await (const csvLine of linesOf(reading, file)) {
    const id = requiredCell(file, csvLine, 'sourcedId', problems)
    const name = requiredCell(file, csvLine, 'title', problems)
    if (id === undefined || name === undefined) continue
    const location = { file, line: csvLine.line }
    const earlier = staging.findClass(`id ${id}`)
    if (earlier) problems.add(location, 'sourcedId', `is already in line ${earlier.line}`)
    else stageClass(staging, location, { id, name }, columns, problems)
  }
}

async function stageEnrollments(reading: Reading): Promise<void> {
  const { staging, problems, today } = reading
  const file = 'enrollments.csv'
  for await (const csvLine of linesOf(reading, file)) {
    const classId = requiredCell(file, csvLine, 'classSourcedId', problems)
    const userId = requiredCell(file, csvLine, 'userSourcedId', problems)
    if (classId === undefined || userId === undefined || hasEnded(csvLine, today)) continue
    const location = { file, line: csvLine.line }
    const schoolClass = staging.findClass(`id ${classId}`)
    const person = staging.findPerson('key', `id ${userId}`)
    if (!schoolClass) problems.add(location, 'classSourcedId', `is “${classId}”, which is not in classes.csv`)
    if (!person) problems.add(location, 'userSourcedId', `is “${userId}”, but users.csv has no such user`)
    if (schoolClass && person)
      staging.addMembership(person.n, schoolClass.n, 0, location, csvLine.cells.primary === 'true')
  }
}

const hasEnded = ({ cells }: CsvLine<'endDate'>, today: string) =>
  cells.endDate !== undefined && cells.endDate < today
