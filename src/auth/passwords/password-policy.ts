import type { OrganizationRole } from '../../contract/users.ts'
import { fail } from '../../errors.ts'
import { once } from '../../lib/once.ts'

interface PasswordSettings {
  readonly passwordLength: number
  readonly administratorPasswordLength: number
}

/** What the minimum length of a password depends on. */
export interface PasswordHolder {
  readonly role?: OrganizationRole | null | undefined
  /** The minimum length that the organization of the account sets. */
  readonly organizationMinimum?: number | null | undefined
}

/** A password that an account is to have. */
export interface NewPassword extends PasswordHolder {
  readonly password: string
}

export interface PasswordWeakness {
  readonly code: 'INVALID_PARAMETER' | 'COMMON_PASSWORD'
  /** The end of a sentence that begins with the name of the field. */
  readonly problem: string
}

/** The limits of the published interface. The settings can only raise the minimum. */
const [lowestLength, highestLength] = [6, 1000]

/** Returns the minimum length of a new password: the highest of those of the server and the organization. */
export function minPasswordLength(
  { passwordLength, administratorPasswordLength }: PasswordSettings,
  { role, organizationMinimum }: PasswordHolder,
): number {
  const isAdministrator = role === 'admin' || role === 'accountAdmin'
  return Math.max(passwordLength, isAdministrator ? administratorPasswordLength : 0, organizationMinimum ?? 0)
}

/** Returns why an account may not have this password. */
export async function findWeakness(
  settings: PasswordSettings,
  { password, ...holder }: NewPassword,
): Promise<PasswordWeakness | undefined> {
  const minLength = minPasswordLength(settings, holder)
  if (!isOfLength(password, minLength, highestLength)) return wrongLength(minLength)
  if (!(await commonPasswords()).has(password.toLowerCase())) return undefined
  return {
    code: 'COMMON_PASSWORD',
    problem: 'is one of the most common passwords, which attackers try first; choose another one',
  }
}

/** @throws INVALID_PARAMETER if the length is wrong, and COMMON_PASSWORD */
export async function checkNewPassword(settings: PasswordSettings, password: NewPassword): Promise<void> {
  refuse(await findWeakness(settings, password))
}

/**
 * Checks only the limits of the interface, for a password that an operator vouches for.
 * @throws INVALID_PARAMETER
 */
export function checkVouchedPassword(password: string): void {
  if (!isOfLength(password, lowestLength, highestLength)) refuse(wrongLength(lowestLength))
}

const isOfLength = ({ length }: string, min: number, max: number): boolean => length >= min && length <= max

const wrongLength = (min: number): PasswordWeakness => ({
  code: 'INVALID_PARAMETER',
  problem: `must have ${min} to ${highestLength} characters`,
})

function refuse(weakness: PasswordWeakness | undefined): void {
  if (weakness) fail(weakness.code, { param: 'password', message: `\`password\` ${weakness.problem}.` })
}

/** The list is unpacked when it is first needed, which takes some hundredths of a second. */
const commonPasswords = once(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
})
