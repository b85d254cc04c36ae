import type {
  App,
  AuditLog,
  ConnectedApp,
  MadePersonalToken,
  Me,
  NewApp,
  NewPersonalToken,
  PersonalToken,
  RegisteredApp,
} from '../../src/contract/account.ts'

import type {
  EmailChange,
  PasswordChange,
  RecoveryCodes,
  SecondFactorSecret,
  Security,
} from '../../src/contract/account-security.ts'

/** What the server did not do, and why; `status` is 0 where it did not answer at all. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** The field that was not accepted. */
  readonly field: string | undefined
  /** The id of the request in the log of the server. */
  readonly id: string | undefined
  /** Seconds until it may be tried again. */
  readonly retryAfter: number

  constructor(
    status: number,
    { code = '', param, id }: { code?: string; param?: string; id?: string } = {},
    retryAfter: string | null = null,
  ) {
    super(code)
    this.status = status
    this.retryAfter = Number(retryAfter)
    this.code = code
    this.field = param?.split('.')[0]
    this.id = id
  }
}

export const getMe = () => request<Me>('GET', '/me')

export const listTokens = () => request<PersonalToken[]>('GET', '/tokens')
export const makeToken = (token: NewPersonalToken) => request<MadePersonalToken>('POST', '/tokens', token)
export const endToken = (id: string) => request<void>('DELETE', `/tokens/${id}`)

export const listConnectedApps = () => request<ConnectedApp[]>('GET', '/connected-apps')
export const disconnectApp = (id: string) => request<void>('DELETE', `/connected-apps/${id}`)

export const listApps = () => request<App[]>('GET', '/apps')
export const makeApp = (app: NewApp) => request<RegisteredApp>('POST', '/apps', app)
export const deleteApp = (id: string) => request<void>('DELETE', `/apps/${id}`)

export const getSecurity = () => request<Security>('GET', '/security')
export const changePassword = (change: PasswordChange) => request<Security>('PUT', '/security/password', change)
export const changeEmail = (change: EmailChange) => request<Security>('PUT', '/security/email', change)
export const endOtherSessions = () => request<void>('POST', '/security/sessions/end-others')
export const beginSecondFactor = (password: string) =>
  request<SecondFactorSecret>('POST', '/security/second-factor', { password })
export const confirmSecondFactor = (code: string) =>
  request<RecoveryCodes>('POST', '/security/second-factor/confirm', { code })
export const removeSecondFactor = (code: string) => request<void>('POST', '/security/second-factor/remove', { code })
export const makeRecoveryCodes = (code: string) => request<RecoveryCodes>('POST', '/security/recovery-codes', { code })

export const listAuditLog = (query: Readonly<Record<string, string>>) =>
  request<AuditLog>('GET', `/audit-log?${new URLSearchParams(query)}`)
/** Where the whole of it is had, as a table. */
export const auditLogFile = (filter: Readonly<Record<string, string>>) =>
  `/account/data/audit-log.csv?${new URLSearchParams(filter)}`

/** @throws Refusal */
async function request<Body>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`/account/data${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }).catch(() => {
    throw new Refusal(0)
  })
  if (response.ok) return response.status === 204 ? (undefined as Body) : response.json()
  const refusal = new Refusal(
    response.status,
    await response.json().catch(() => undefined),
    response.headers.get('Retry-After'),
  )
  const isByLink = refusal.code === 'SIGNED_IN_BY_LINK'
  // The server knows what to say to who is not, or not quite, signed in, and leads back here.
  if (refusal.status === 401 || isByLink) location.reload()
  throw refusal
}
