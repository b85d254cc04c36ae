import type { OrganizationRole } from '../../contract/users.ts'
import { fail } from '../../errors.ts'
import { once } from '../../lib/once.ts'
import { sortKey } from '../../lib/sort-key.ts'

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

/** The names of an account, which its password must not repeat. */
export interface PasswordOwner {
  readonly username: string
  readonly email?: string | null | undefined
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
}

/** The account that is to have a password. */
export interface NamedPasswordHolder extends PasswordHolder {
  readonly owner: PasswordOwner
}

/** A password that an account is to have. */
export interface NewPassword extends NamedPasswordHolder {
  readonly password: string
}

export interface PasswordWeakness {
  readonly code: 'INVALID_PARAMETER' | 'COMMON_PASSWORD' | 'PASSWORD_LIKE_NAME'
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
  if ((await commonPasswords()).has(password.toLowerCase())) {
    return {
      code: 'COMMON_PASSWORD',
      problem: 'is one of the most common passwords, which attackers try first; choose another one',
    }
  }
  if (isLikeName(password, holder.owner)) {
    return {
      code: 'PASSWORD_LIKE_NAME',
      problem: 'is almost the name or address of the account; choose another one',
    }
  }
  return undefined
}

/** A shorter name is in many good passwords. */
const minNameLength = 4
/** The letters and digits beside a name that attackers try as well, such as a year. */
const maxFurtherCharacters = 4

/**
 * Whether a password is a name or address of its account, a part of one, or one with a few more characters. Case, diacritics
 * and all other characters than letters and digits are ignored.
 */
function isLikeName(password: string, { username, email, firstname, lastname }: PasswordOwner): boolean {
  const [first, last] = [firstname ?? '', lastname ?? '']
  const names = [
    username,
    email ?? '',
    (email ?? '').replace(/@.*/, ''),
    first,
    last,
    first + last,
    last + first,
  ]
    .map(lettersAndDigits)
    .filter(({ length }) => length >= minNameLength)
  const secret = lettersAndDigits(password)
  if (secret.length < minNameLength) return false
  return names.some(
    (name) =>
      name.includes(secret) || (secret.includes(name) && secret.length - name.length <= maxFurtherCharacters),
  )
}

const lettersAndDigits = (text: string): string => sortKey(text).replace(/[^\p{L}\p{N}]/gu, '')

/** @throws INVALID_PARAMETER if the length is wrong; COMMON_PASSWORD, PASSWORD_LIKE_NAME */
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
