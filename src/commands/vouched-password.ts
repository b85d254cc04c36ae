import { hashOf } from '../auth/passwords/hashing.ts'
import {
  checkVouchedPassword,
  findWeakness,
  type NamedPasswordHolder,
} from '../auth/passwords/password-policy.ts'
import type { Context } from '../context.ts'
import { readPassword } from './read-password.ts'

/**
 * Reads and hashes the password of an account. An operator may set a password that users may not: the command then prints a
 * warning, except with `--json`.
 * @throws INVALID_PARAMETER
 */
export async function hashVouchedPassword(
  { config }: Context,
  options: { password?: string; json?: true },
  holder: NamedPasswordHolder,
): Promise<string> {
  const password = await readPassword(options.password)
  checkVouchedPassword(password)
  const weakness = await findWeakness(config, { password, ...holder })
  if (weakness && !options.json) process.stderr.write(`Warning: the password ${weakness.problem}.\n`)
  return hashOf(password)
}
