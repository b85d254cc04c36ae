import type { SignInProvidersTable } from '../../db/sign-in-tables.ts'
import { fail } from '../../errors.ts'

/** Whom a provider may send here, and what it is believed of them. */
export interface ProviderRules {
  /** Whether the page to sign in shows it; else one has to know its address. */
  readonly isListed: boolean
  /** Whether its host may be in the network of whoever runs this server. */
  readonly isInner: boolean
  /** Only people with an address there may come; anybody whom it lets in where there are none. */
  readonly domains: readonly string[]
  /** The claim that has the address. */
  readonly addressClaim: string
  /** Whether addresses in the domains are taken for the person's where the provider does not say that it has verified them. */
  readonly trustsAddresses: boolean
  /** Whether people whom nobody knows here get accounts. */
  readonly createsAccounts: boolean
  /** The claim that says what somebody will be whose account is made, and its values; else a student. */
  readonly roleClaim: string | null
  readonly teacherValues: readonly string[]
  readonly adminValues: readonly string[]
  /** What the provider shall ask people who are signed in there already: `login`, `select_account`. */
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

/** With which anybody on earth can have an account. */
export const isGoogle = (issuer: string): boolean => URL.parse(issuer)?.hostname === 'accounts.google.com'

/** @throws INVALID_PARAMETER where it could not work, or would let in people whom nobody means */
export function checkProvider({ name, label, issuer, client_id, client_secret, rules }: Provider): void {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) refuse('The name must be 1 to 40 small letters, digits and hyphens')
  if (label.trim() === '' || label.length > 60) refuse('--label must have 1 to 60 characters')
  if (client_id === '' || client_secret === '') refuse('--client-id and the client secret must be given')
  checkIssuer(issuer, rules)
  const { domains, addressClaim, trustsAddresses, createsAccounts, roleClaim, teacherValues, adminValues } = rules
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined) refuse(`--domains: "${wrong}" is no domain in small letters`)
  if (trustsAddresses && domains.length === 0) {
    refuse('--trust-addresses goes with --domains: addresses elsewhere are not the school’s to give')
  }
  if (addressClaim !== 'email' && !trustsAddresses) {
    refuse('--address-claim goes with --trust-addresses: providers verify `email` alone')
  }
  if (createsAccounts && domains.length === 0 && isGoogle(issuer)) {
    refuse('--create at Google goes with --domains: else anybody on earth could come')
  }
  if (roleClaim === null && teacherValues.length + adminValues.length > 0) {
    refuse('--teachers and --admins go with --role-claim')
  }
}

function checkIssuer(issuer: string, { isInner }: ProviderRules): void {
  const url = URL.parse(issuer) ?? refuse('--issuer must be an address')
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    refuse('--issuer must be an https address without ? and #')
  }
  const isThisMachine = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !(isThisMachine && isInner)) {
    refuse('--issuer must begin with https; http is for this machine itself, with --own-network true')
  }
  const tenant = url.hostname === 'login.microsoftonline.com' ? url.pathname.split('/')[1] : undefined
  if (tenant && /^(common|organizations|consumers)$/i.test(tenant)) {
    refuse(`--issuer: "${tenant}" lets in every organization at Microsoft; put the id of your own tenant in its place`)
  }
}

function refuse(message: string): never {
  fail('INVALID_PARAMETER', { message: `${message}.` })
}
