import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/violations.ts'
import { fail } from '../../errors.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { listSubGroupNames } from './store.ts'

/** A name as it is stored; nothing but white space is none. @throws INVALID_PARAMETER */
export function groupName(name: string): { name: string; name_key: string } {
  const name_key = sortKey(name)
  if (name_key === '') fail('INVALID_PARAMETER', { param: 'name', message: '`name` is empty.' })
  return { name, name_key }
}

/** The name of a sub-group that was given none: “Group” and the first number, from how many there are, that is free. */
export async function nextGroupName(tx: Transaction, classId: string): Promise<{ name: string; name_key: string }> {
  const taken = new Set(await listSubGroupNames(tx, classId))
  let number = taken.size + 1
  while (taken.has(sortKey(`Group ${number}`))) number++
  return groupName(`Group ${number}`)
}

/** What a transaction that gives a group a name fails with. @throws GROUP_NAME_TAKEN where another one of the class has it */
export function failAsTaken(error: unknown): never {
  if (isUniqueViolation(error, 'groups.name_key')) fail('GROUP_NAME_TAKEN', { param: 'name' })
  throw error
}
