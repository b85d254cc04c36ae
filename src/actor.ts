import type { Scope } from './contract/scopes.ts'
import type { OrganizationRole } from './contract/users.ts'

/** The account on whose behalf a request is made, and how the request was authenticated. */
export interface Actor<Means extends Access = Access> {
  readonly id: string
  readonly organization: string | undefined
  readonly organizationRole: OrganizationRole | undefined
  readonly locale: string
  /** The account's own limit of requests per hour. Undefined for the default. */
  readonly rateLimit: number | undefined
  readonly access: Means
}

/** The credential that authenticated a request: a bearer token or the session of a browser. */
export type Access = TokenAccess | SessionAccess

export interface TokenAccess extends Permissions {
  readonly kind: 'token'
  readonly id: string
  /** The app that holds the token. Undefined for a personal token. */
  readonly app: string | undefined
}

export interface SessionAccess extends Permissions {
  readonly kind: 'session'
  /** What the organization requires and the user has not set up. Until then the session opens only the page where the user sets it up. */
  readonly missingFactor: 'second factor' | 'passkey' | undefined
  /** The hash of the cookie's value. */
  readonly hash: string
  readonly app: undefined
}

interface Permissions {
  /**
   * True if another person may be behind the request: an administrator made the token or the sign-in link, or a teacher or
   * administrator set the password. Delegated access does not carry the powers that the account's role has over other accounts.
   */
  readonly isDelegated: boolean
  readonly scopes: ReadonlySet<Scope>
}

/** The caller of an operation that accepts only sessions. */
export type SessionActor = Actor<SessionAccess>

/** The caller of an operation that allows anonymous requests. Undefined for an anonymous request. */
export type Viewer = Actor | undefined
