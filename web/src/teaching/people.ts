import type { UserPublic } from '../../../src/contract/users.ts'

/** The name by which a class knows a person. */
export const nameOf = ({
  printableName,
  name,
  username,
}: Pick<UserPublic, 'printableName' | 'name' | 'username'>): string => printableName ?? name ?? username
