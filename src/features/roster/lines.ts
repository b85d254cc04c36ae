import { Failure } from '../../errors.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { identityOf } from '../users/accounts.ts'
import type { Place, Problems } from './problems.ts'
import type { NewPerson, StagedClass, StagedRole, Staging } from './staging.ts'

/** What a line says of somebody. */
export interface SaidOfPerson {
  id?: string | undefined
  username?: string | undefined
  email?: string | undefined
  firstname?: string | undefined
  lastname?: string | undefined
  role?: StagedRole | undefined
  password?: string | undefined
  passedOver?: boolean
}

/** As long as an id of the outside may be. */
const mostOfId = 255
const mostOfClassName = 255
const mostOfGroupName = 1000

/**
 * The person of a line as it is staged.
 * @param columns how the file calls them
 * @returns undefined where something was wrong
 */
export function personOf(
  place: Place,
  said: SaidOfPerson,
  columns: Record<string, string>,
  problems: Problems,
): NewPerson | undefined {
  const { id, username, email, firstname, lastname, role, password, passedOver = false } = said
  const refuse = (column: string, why: string) => {
    problems.add(place, columns[column] ?? column, why)
    return undefined
  }
  if (id !== undefined && id.length > mostOfId) return refuse('id', `has more than ${mostOfId} characters`)
  if (username === undefined) return refuse('username', 'is missing')
  if (password !== undefined && (password.length < 6 || password.length > 1000)) {
    return refuse('password', 'must have 6 to 1000 characters')
  }
  try {
    const { username_key } = identityOf({ username, email, firstname, lastname })
    return {
      ...place,
      key: id === undefined ? `name ${username_key}` : `id ${id}`,
      external_id: id ?? null,
      username,
      username_key,
      email: email ?? null,
      firstname: firstname ?? null,
      lastname: lastname ?? null,
      role: role ?? null,
      password: password ?? null,
      passed_over: passedOver ? 1 : 0,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { param = '' } = error
    return refuse(param, error.message.replace(`\`${param}\` `, '').replace(/\.$/, ''))
  }
}

/** A class by its id, or by its name where it has none; its number. Undefined where something was wrong. */
export function stageClass(
  staging: Staging,
  place: Place,
  said: { id?: string | undefined; name: string },
  columns: { id: string; name: string },
  problems: Problems,
): number | undefined {
  const { id, name } = said
  const name_key = sortKey(name)
  if (name_key === '' || name.length > mostOfClassName) {
    problems.add(place, columns.name, `must have 1 to ${mostOfClassName} characters`)
    return undefined
  }
  if (id !== undefined && id.length > mostOfId) {
    problems.add(place, columns.id, `has more than ${mostOfId} characters`)
    return undefined
  }
  const key = id === undefined ? `name ${name_key}` : `id ${id}`
  const known = staging.findClass(key)
  if (!known) {
    staging.addClass({ ...place, key, external_id: id ?? null, name, name_key })
    return staging.findClass(key)?.n
  }
  if (id !== undefined && known.name !== name) {
    problems.add(place, columns.name, `is “${name}”, but “${known.name}” in line ${known.line}`)
    return undefined
  }
  return known.n
}

/** The name of a group as it is staged; undefined where something was wrong. */
export function groupOf(place: Place, name: string, column: string, problems: Problems) {
  const name_key = sortKey(name)
  if (name_key !== '' && name.length <= mostOfGroupName) return { name, name_key }
  problems.add(place, column, `must have 1 to ${mostOfGroupName} characters`)
  return undefined
}

/** Classes without an id are told apart by their names. */
export function isAmbiguous(staging: Staging, { external_id, name_key }: StagedClass): boolean {
  return external_id === null && staging.countClassesOfName(name_key) > 1
}
