import { Failure } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { identityOf } from '../users/accounts.ts'
import type { RowLocation, Problems } from './problems.ts'
import type { NewPerson, StagedClass, StagedRole, Staging } from './staging.ts'

/** The cells of a line about a person. */
export interface PersonCells {
  id?: string | undefined
  username?: string | undefined
  email?: string | undefined
  firstname?: string | undefined
  lastname?: string | undefined
  role?: StagedRole | undefined
  password?: string | undefined
  skipped?: boolean
}

/** The maximum length of an external id. */
const maxIdLength = 255
const maxClassNameLength = 255
const maxGroupNameLength = 1000

/**
 * Converts a line to a person for the staging table.
 * @param columns the names of the columns in the file, for messages
 * @returns undefined if the line is wrong
 */
export function personOf(
  location: RowLocation,
  cells: PersonCells,
  columns: Record<string, string>,
  problems: Problems,
): NewPerson | undefined {
  const { id, username, email, firstname, lastname, role, password, skipped = false } = cells
  const refuse = (column: string, problem: string) => {
    problems.add(location, columns[column] ?? column, problem)
    return undefined
  }
  if (id !== undefined && id.length > maxIdLength)
    return refuse('id', `has more than ${maxIdLength} characters`)
  if (username === undefined) return refuse('username', 'is missing')
  try {
    const { username_key } = identityOf({ username, email, firstname, lastname })
    return {
      ...location,
      key: id === undefined ? `name ${username_key}` : `id ${id}`,
      external_id: id ?? null,
      username,
      username_key,
      email: email ?? null,
      firstname: firstname ?? null,
      lastname: lastname ?? null,
      role: role ?? null,
      password: password ?? null,
      skipped: skipped ? 1 : 0,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { param = '' } = error
    return refuse(param, error.message.replace(`\`${param}\` `, '').replace(/\.$/, ''))
  }
}

/**
 * Stages a class, which is identified by its id, or by its name if it has no id. Returns its number, or
 * undefined if the line is wrong.
 */
export function stageClass(
  staging: Staging,
  location: RowLocation,
  cells: { id?: string | undefined; name: string },
  columns: { id: string; name: string },
  problems: Problems,
): number | undefined {
  const { id, name } = cells
  const name_key = sortKey(name)
  if (name_key === '' || name.length > maxClassNameLength) {
    problems.add(location, columns.name, `must have 1 to ${maxClassNameLength} characters`)
    return undefined
  }
  if (id !== undefined && id.length > maxIdLength) {
    problems.add(location, columns.id, `has more than ${maxIdLength} characters`)
    return undefined
  }
  const key = id === undefined ? `name ${name_key}` : `id ${id}`
  const known = staging.findClass(key)
  if (!known) {
    staging.addClass({ ...location, key, external_id: id ?? null, name, name_key })
    return staging.findClass(key)?.n
  }
  if (id !== undefined && known.name !== name) {
    problems.add(location, columns.name, `is “${name}”, but “${known.name}” in line ${known.line}`)
    return undefined
  }
  return known.n
}

/** Converts the name of a group for the staging table. Returns undefined if it is wrong. */
export function groupOf(location: RowLocation, name: string, column: string, problems: Problems) {
  const name_key = sortKey(name)
  if (name_key !== '' && name.length <= maxGroupNameLength) return { name, name_key }
  problems.add(location, column, `must have 1 to ${maxGroupNameLength} characters`)
  return undefined
}

/** Whether several classes without an id have the same name, so that nothing distinguishes them. */
export function isAmbiguous(staging: Staging, { external_id, name_key }: StagedClass): boolean {
  return external_id === null && staging.countClassesOfName(name_key) > 1
}
