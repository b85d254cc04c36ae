import type { OrganizationRole } from '../../contract/users.ts'
import { emailKey, isEmailAddress } from '../users/accounts.ts'
import { isGoogle, type Provider } from './providers.ts'

/** What a provider says of somebody, as it came; `sub` is checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What of that is believed. */
export interface Somebody {
  /** Undefined where nothing shows that it is the person's. */
  readonly address: string | undefined
  /** Whether the rules of the provider let somebody like this come. */
  readonly mayCome: boolean
  readonly firstname: string
  readonly lastname: string
  readonly role: OrganizationRole
  /** What a username could be made of; may be empty. */
  readonly nickname: string
  /** BCP 47. */
  readonly locale: string | undefined
}

export function somebodyOf(provider: Pick<Provider, 'issuer' | 'rules'>, claims: Claims): Somebody {
  const address = addressOf(provider, claims)
  const [firstname, lastname] = [nameIn(claims.given_name), nameIn(claims.family_name)]
  const said = textOf(claims.preferred_username) ?? address ?? `${firstname}.${lastname}`
  return {
    address,
    mayCome: mayCome(provider, claims, address),
    firstname,
    lastname,
    role: roleOf(provider, claims),
    nickname: nicknameIn(said),
    locale: textOf(claims.locale),
  }
}

function addressOf({ issuer, rules }: Pick<Provider, 'issuer' | 'rules'>, claims: Claims): string | undefined {
  const { addressClaim, trustsAddresses, domains } = rules
  const address = textOf(claims[addressClaim])?.trim()
  if (address === undefined || !isEmailAddress(address) || /\p{Cc}/u.test(address)) return undefined
  // Only of `email` it is said whether it is verified (OpenID Connect Core 1.0, section 5.1); some write it as text.
  const verified = addressClaim === 'email' ? claims.email_verified : undefined
  if (verified === true || verified === 'true') return isWordOf(issuer, claims, address) ? address : undefined
  return verified === undefined && trustsAddresses && domains.includes(domainOf(address)) ? address : undefined
}

/**
 * Google has verified once that an address was somebody's who has an account there by it; whose it is today it knows only of its own
 * addresses, and of those of organizations that have their accounts there.
 */
const isWordOf = (issuer: string, { hd }: Claims, address: string): boolean =>
  !isGoogle(issuer) || domainOf(address) === 'gmail.com' || typeof hd === 'string'

function mayCome({ issuer, rules }: Pick<Provider, 'issuer' | 'rules'>, { hd }: Claims, address?: string): boolean {
  const { domains } = rules
  if (domains.length === 0) return true
  if (isGoogle(issuer)) return typeof hd === 'string' && domains.includes(hd.toLowerCase())
  return address !== undefined && domains.includes(domainOf(address))
}

const domainOf = (address: string): string => emailKey(address).split('@')[1] ?? ''

function roleOf({ rules }: Pick<Provider, 'rules'>, claims: Claims): OrganizationRole {
  const { roleClaim, teacherValues, adminValues } = rules
  const value = roleClaim === null ? undefined : claimAt(claims, roleClaim)
  const said = (Array.isArray(value) ? value : [value]).map(String)
  if (said.some((one) => adminValues.includes(one))) return 'admin'
  return said.some((one) => teacherValues.includes(one)) ? 'teacher' : 'user'
}

/** A claim by its name, which may have dots in it, or by its path: `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isObject ? (value as Record<string, unknown>)[key] : undefined
  }, claims)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** As long as names here may be, and without what nobody sees. */
const nameIn = (value: unknown): string =>
  shortened((textOf(value) ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim(), 60)

/** What of a name or address can stand in a username. */
const nicknameIn = (text: string): string =>
  shortened((text.split('@')[0] ?? '').replaceAll(/[\s\p{C}]+/gu, '').replace(/^\.+|\.+$/g, ''), 24)

/** At most so many UTF-16 units, no character cut in two. */
function shortened(text: string, most: number): string {
  let short = ''
  for (const character of text) {
    if (short.length + character.length > most) break
    short += character
  }
  return short
}
