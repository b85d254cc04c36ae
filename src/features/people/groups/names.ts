import type { Transaction } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/violations.ts'
import { fail } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { textsIn } from '../../../texts/texts.ts'
import { listSubGroupNames } from './store.ts'

/**
 * Returns a name as it is stored.
 * @throws INVALID_PARAMETER if the name is only white space
 */
export function groupName(name: string): { name: string; name_key: string } {
  const name_key = sortKey(name)
  if (name_key === '') fail('INVALID_PARAMETER', { param: 'name', message: '`name` is empty.' })
  return { name, name_key }
}

/** Returns the name of a group of test students in a language (BCP 47). */
export const testStudentsName = (language: string): { name: string; name_key: string } =>
  groupName(textsIn(language.split('-')[0] ?? 'en').text('groups.testStudents'))

/**
 * Returns a name for a subgroup without one: “Group” and the first free number, starting at the number of
 * groups.
 */
export async function nextGroupName(
  tx: Transaction,
  classId: string,
): Promise<{ name: string; name_key: string }> {
  const takenNames = new Set(await listSubGroupNames(tx, classId))
  let number = takenNames.size + 1
  while (takenNames.has(sortKey(`Group ${number}`))) number++
  return groupName(`Group ${number}`)
}

/**
 * Converts the error of a transaction that names a group.
 * @throws GROUP_NAME_TAKEN if another group of the class has the name
 */
export function rethrowNameTaken(error: unknown): never {
  if (isUniqueViolation(error, 'groups.name_key')) fail('GROUP_NAME_TAKEN', { param: 'name' })
  throw error
}
