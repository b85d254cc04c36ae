import type { OrganizationRole } from '../../contract/users.ts'
import { emailKey, isEmailAddress } from '../../features/people/users/accounts.ts'
import { isGoogle, type Provider } from './providers.ts'

/** The claims of a provider about a user. Only `sub` is validated. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** The accepted data of a user, derived from claims and the rules of the provider. */
export interface ProviderUser {
  /** Undefined if the address is not proven to belong to the user. */
  readonly address: string | undefined
  /** Whether the rules of the provider admit the user. */
  readonly mayCome: boolean
  readonly firstname: string
  readonly lastname: string
  readonly role: OrganizationRole
  /** A suggestion for the username; may be empty. */
  readonly nickname: string
  /** A BCP 47 language tag. */
  readonly locale: string | undefined
}

export function providerUserOf(provider: Pick<Provider, 'issuer' | 'rules'>, claims: Claims): ProviderUser {
  const address = addressOf(provider, claims)
  const [firstname, lastname] = [sanitizedName(claims.given_name), sanitizedName(claims.family_name)]
  const nickname = textOf(claims.preferred_username) ?? address ?? `${firstname}.${lastname}`
  return {
    address,
    mayCome: isAdmitted(provider, claims, address),
    firstname,
    lastname,
    role: roleOf(provider, claims),
    nickname: suggestedUsername(nickname),
    locale: textOf(claims.locale),
  }
}

function addressOf(
  { issuer, rules }: Pick<Provider, 'issuer' | 'rules'>,
  claims: Claims,
): string | undefined {
  const { addressClaim, trustsAddresses, domains } = rules
  const address = textOf(claims[addressClaim])?.trim()
  if (address === undefined || !isEmailAddress(address) || /\p{Cc}/u.test(address)) return undefined
  // `email_verified` applies only to `email` (OpenID Connect Core 1.0, section 5.1). Some providers send it
  // as a string.
  const verified = addressClaim === 'email' ? claims.email_verified : undefined
  if (verified === true || verified === 'true')
    return isAuthoritative(issuer, claims, address) ? address : undefined
  return verified === undefined && trustsAddresses && domains.includes(domainOf(address))
    ? address
    : undefined
}

/**
 * Google has verified every address once, but is authoritative only for its own addresses and for those of
 * organizations that have their accounts at Google. Other addresses may belong to another person today.
 */
const isAuthoritative = (issuer: string, { hd }: Claims, address: string): boolean =>
  !isGoogle(issuer) || domainOf(address) === 'gmail.com' || typeof hd === 'string'

function isAdmitted(
  { issuer, rules }: Pick<Provider, 'issuer' | 'rules'>,
  { hd }: Claims,
  address?: string,
): boolean {
  const { domains } = rules
  if (domains.length === 0) return true
  if (isGoogle(issuer)) return typeof hd === 'string' && domains.includes(hd.toLowerCase())
  return address !== undefined && domains.includes(domainOf(address))
}

const domainOf = (address: string): string => emailKey(address).split('@')[1] ?? ''

function roleOf({ rules }: Pick<Provider, 'rules'>, claims: Claims): OrganizationRole {
  const { roleClaim, teacherValues, adminValues } = rules
  const value = roleClaim === null ? undefined : claimAt(claims, roleClaim)
  const values = (Array.isArray(value) ? value : [value]).map(String)
  if (values.some((value) => adminValues.includes(value))) return 'admin'
  return values.some((value) => teacherValues.includes(value)) ? 'teacher' : 'user'
}

/** Returns a claim by its name, which may contain dots, or by its path, such as `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isObject ? (value as Record<string, unknown>)[key] : undefined
  }, claims)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Truncates a name to the maximum length and removes control characters. */
const sanitizedName = (value: unknown): string =>
  truncate((textOf(value) ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim(), 60)

/** Returns the part of a name or address that is valid in a username. */
const suggestedUsername = (text: string): string =>
  truncate((text.split('@')[0] ?? '').replaceAll(/[\s\p{C}]+/gu, '').replace(/^\.+|\.+$/g, ''), 24)

/** Truncates a text to a number of UTF-16 units without splitting a character. */
function truncate(text: string, maxLength: number): string {
  let short = ''
  for (const character of text) {
    if (short.length + character.length > maxLength) break
    short += character
  }
  return short
}
