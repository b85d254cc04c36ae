import type { CsvColumns } from './csv.ts'
import { readCsv } from './csv.ts'
import { groupOf, personOf, stageClass } from './lines.ts'
import type { RowLocation, Problems } from './problems.ts'
import type { NewPerson, StagedPerson, StagedRole, Staging } from './staging.ts'

/** The columns of a roster with one table, each with alternative headings. */
const headings = {
  username: ['user', 'login'],
  email: ['mail'],
  firstname: ['givenname', 'forename'],
  lastname: ['familyname', 'surname'],
  role: [],
  id: ['externalid', 'sourcedid'],
  password: [],
  class: ['classname'],
  classid: ['classsourcedid'],
  group: ['groupname'],
} as const satisfies Record<string, readonly string[]>
type Column = keyof typeof headings

const columnByHeading = new Map<string, Column>(
  (Object.keys(headings) as Column[]).flatMap((column) =>
    [column, ...headings[column]].map((heading) => [heading, column] as const),
  ),
)

const columns: CsvColumns<Column> = {
  // Accepts “First name”, “first_name” and “E-Mail” as well.
  nameOf: (heading) => columnByHeading.get(heading.toLowerCase().replaceAll(/[\s_-]/g, '')),
  required: ['username'],
}

const roles: Readonly<Record<string, StagedRole>> = {
  student: 'user',
  pupil: 'user',
  user: 'user',
  teacher: 'teacher',
  admin: 'admin',
}

const names = { id: 'id', username: 'username' }

/** Reads a table with a line for each person, or a line for each class of a person. */
export async function stagePlainTable(
  staging: Staging,
  file: string,
  bytes: AsyncIterable<Buffer>,
  problems: Problems,
): Promise<void> {
  for await (const { line, cells } of readCsv(file, bytes, columns, problems)) {
    const location = { file, line }
    const role = cells.role === undefined ? undefined : roles[cells.role.toLowerCase()]
    if (cells.role !== undefined && role === undefined) {
      problems.add(location, 'role', `is “${cells.role}”, not student, teacher or admin`)
      continue
    }
    const person = personOf(location, { ...cells, role }, names, problems)
    const staged = person && stagePerson(staging, person, problems)
    if (staged === undefined) continue
    if (cells.class === undefined) {
      for (const column of ['classid', 'group'] as const) {
        if (cells[column] !== undefined) problems.add(location, column, 'requires a class')
      }
      continue
    }
    stageMembership(staging, location, staged, { ...cells, class: cells.class }, problems)
  }
}

function stageMembership(
  staging: Staging,
  location: RowLocation,
  person: number,
  cells: { class: string; classid?: string; group?: string },
  problems: Problems,
): void {
  const identity = { id: cells.classid, name: cells.class }
  const schoolClass = stageClass(staging, location, identity, { id: 'classid', name: 'class' }, problems)
  if (schoolClass === undefined) return
  staging.addMembership(person, schoolClass, 0, location)
  if (cells.group === undefined) return
  const name = groupOf(location, cells.group, 'group', problems)
  if (name)
    staging.addMembership(person, schoolClass, staging.ensureGroup(schoolClass, location, name), location)
}

const compared = ['username', 'email', 'firstname', 'lastname', 'role', 'password'] as const

/** Stages a person and returns its number. Several lines about one person must agree. */
function stagePerson(staging: Staging, person: NewPerson, problems: Problems): number | undefined {
  const known = staging.findPerson('key', person.key)
  if (!known) {
    const namesake = staging.findPerson('username', person.username_key)
    if (namesake) {
      problems.add(person, 'username', `is also the username of another person in line ${namesake.line}`)
      return undefined
    }
    staging.addPerson(person)
    return staging.findPerson('key', person.key)?.n
  }
  const other = compared.find((column) => differ(known, person, column))
  if (other) {
    problems.add(person, other, `is not the same as in line ${known.line}`)
    return undefined
  }
  staging.fillPerson(known.n, person)
  return known.n
}

const differ = (one: StagedPerson, other: NewPerson, column: (typeof compared)[number]) =>
  one[column] !== null && other[column] !== null && one[column] !== other[column]
