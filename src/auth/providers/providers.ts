import type { SignInProvidersTable } from '../../platform/db/sign-in-tables.ts'
import { fail } from '../../errors.ts'

/** The rules that decide which users of a provider are admitted and which claims are trusted. */
export interface ProviderRules {
  /** Whether the sign-in page shows the provider. Users of other providers need the link. */
  readonly isListed: boolean
  /** Whether the host of the provider may have a private network address. */
  readonly isInner: boolean
  /** The domains whose addresses are admitted; all users of the provider if empty. */
  readonly domains: readonly string[]
  /** The claim with the address. */
  readonly addressClaim: string
  /** Whether addresses in the domains are trusted even if the provider does not report them as verified. */
  readonly trustsAddresses: boolean
  /** Whether users without an account get one. */
  readonly createsAccounts: boolean
  /** The claim that decides the role of a new account, and its values; other users become students. */
  readonly roleClaim: string | null
  readonly teacherValues: readonly string[]
  readonly adminValues: readonly string[]
  /** The `prompt` parameter of the authorization request: `login`, `select_account`. */
  readonly prompt: string | null
}

export interface Provider extends Omit<SignInProvidersTable, 'rules'> {
  readonly rules: ProviderRules
}

export const plainRules: ProviderRules = {
  isListed: true,
  isInner: false,
  domains: [],
  addressClaim: 'email',
  trustsAddresses: false,
  createsAccounts: false,
  roleClaim: null,
  teacherValues: [],
  adminValues: [],
  prompt: null,
}

export const readProvider = <Row extends SignInProvidersTable>({ rules, ...row }: Row) => ({
  ...row,
  rules: { ...plainRules, ...JSON.parse(rules) } as ProviderRules,
})

/** Anyone can have an account at Google. */
export const isGoogle = (issuer: string): boolean => URL.parse(issuer)?.hostname === 'accounts.google.com'

/**
 * Checks the settings of a provider.
 * @throws INVALID_PARAMETER when they cannot work or would admit unintended users
 */
export function checkProvider({ name, label, issuer, client_id, rules }: Provider): void {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    refuse('The name must be 1 to 40 lowercase letters, digits and hyphens')
  if (label.trim() === '' || label.length > 60) refuse('--label must have 1 to 60 characters')
  if (client_id === '') refuse('--client-id must be given')
  checkIssuer(issuer, rules)
  const { domains, addressClaim, trustsAddresses, createsAccounts, roleClaim, teacherValues, adminValues } =
    rules
  const invalid = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (invalid !== undefined) refuse(`--domains: "${invalid}" is not a domain in lowercase letters`)
  if (trustsAddresses && domains.length === 0) {
    refuse(
      '--trust-addresses requires --domains, because the provider cannot vouch for addresses in other domains',
    )
  }
  if (addressClaim !== 'email' && !trustsAddresses) {
    refuse('--address-claim requires --trust-addresses, because providers verify only `email`')
  }
  if (createsAccounts && domains.length === 0 && isGoogle(issuer)) {
    refuse('--create for Google requires --domains, because anyone can have a Google account')
  }
  if (roleClaim === null && teacherValues.length + adminValues.length > 0) {
    refuse('--teachers and --admins require --role-claim')
  }
}

function checkIssuer(issuer: string, { isInner }: ProviderRules): void {
  const url = URL.parse(issuer) ?? refuse('--issuer must be a URL')
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    refuse('--issuer must be an https URL without ? and #')
  }
  const isThisMachine = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !(isThisMachine && isInner)) {
    refuse('--issuer must begin with https; http is permitted only for localhost with --own-network true')
  }
  const tenant = url.hostname === 'login.microsoftonline.com' ? url.pathname.split('/')[1] : undefined
  if (tenant && /^(common|organizations|consumers)$/i.test(tenant)) {
    refuse(
      `--issuer: "${tenant}" admits every organization at Microsoft; use the id of your own tenant instead`,
    )
  }
}

function refuse(message: string): never {
  fail('INVALID_PARAMETER', { message: `${message}.` })
}
