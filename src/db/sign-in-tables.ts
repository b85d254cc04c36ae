/** The columns of the tables of signing in, of tokens and of apps, in the same form as those of `tables.ts`. */
export interface SignInTables {
  sign_in_links: SignInLinksTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  pending_sign_ins: PendingSignInsTable
  email_verifications: EmailVerificationsTable
  attempts: AttemptsTable
  apps: AppsTable
  app_redirect_uris: AppRedirectUrisTable
  app_logos: AppLogosTable
  authorizations: AuthorizationsTable
  authorization_codes: AuthorizationCodesTable
  refresh_tokens: RefreshTokensTable
  access_tokens: AccessTokensTable
  sign_in_providers: SignInProvidersTable
  provider_accounts: ProviderAccountsTable
  provider_sign_ins: ProviderSignInsTable
}

/** Where members of an organization have accounts with which they sign in here: an OpenID provider. */
export interface SignInProvidersTable {
  /** As it stands in addresses. */
  name: string
  organization_id: string
  /** What people know it by. */
  label: string
  /** Its address, which never changes: what it says of people holds under this alone. */
  issuer: string
  client_id: string
  /** As it is: the provider has to be told it. */
  client_secret: string
  /** JSON object: whom and what it is believed (ProviderRules). */
  rules: string
  created_at: number
}

/** Who somebody is at a provider. */
export interface ProviderAccountsTable {
  provider: string
  /** What the provider calls the person, for ever. */
  subject: string
  user_id: string
  created_at: number
}

/** Somebody who is on the way to a provider and back. */
export interface ProviderSignInsTable {
  /** Of what the browser has in its cookie. */
  hash: string
  provider: string
  /** A path of this site. */
  destination: string
  expires_at: number
}

/** Used once: its row is gone then. */
export interface SignInLinksTable {
  hash: string
  user_id: string
  /** A path of this site. */
  destination: string
  created_by: string
  expires_at: number
}

/** Somebody who is signed in with a browser. */
export interface SessionsTable {
  hash: string
  user_id: string
  created_at: number
  expires_at: number
  /** Who made the link that it came of; null where somebody has signed in alone. */
  created_by: string | null
}

/** A link to choose another password; used once. */
export interface PasswordResetsTable {
  hash: string
  user_id: string
  expires_at: number
}

/** What an authenticator app shares with the server, by which somebody signs in beside the password. */
export interface SecondFactorsTable {
  user_id: string
  secret: Uint8Array
  /** When a code of it was first given; it does not count before, which is null. */
  confirmed_at: number | null
  /** The last time step of which a code was accepted: it, and those before it, are used up. */
  last_step: number
}

/** Stands for a code of the app, once: its row is gone then. */
export interface RecoveryCodesTable {
  user_id: string
  hash: string
}

/** Somebody who has given the password, and the code not yet; it opens nothing. */
export interface PendingSignInsTable {
  hash: string
  user_id: string
  expires_at: number
}

/** An address that somebody says is theirs, until they use the link that is sent there. */
export interface EmailVerificationsTable {
  user_id: string
  email: string
  /** Of the link; null until it is sent. */
  hash: string | null
  expires_at: number
}

/** How often somebody has tried something lately; for all processes. */
export interface AttemptsTable {
  /** Hash, under a secret of the server, of what is tried, and by whom. */
  key: string
  count: number
  expires_at: number
}

/** A program that acts for people by OAuth2. */
export interface AppsTable {
  id: string
  name: string
  /** Who registered it; null for the command line, and where that account is gone. */
  owner_id: string | null
  /** Hash of its secret; null for a public client. */
  secret_hash: string | null
  created_at: number
}

/** An address to which an app may have people sent back. */
export interface AppRedirectUrisTable {
  app_id: string
  uri: string
}

export interface AppLogosTable {
  app_id: string
  media_type: string
  content: Uint8Array
}

/** What somebody has allowed an app, once: all tokens that come of it are one family, and end with it. */
export interface AuthorizationsTable {
  id: string
  app_id: string
  user_id: string
  /** JSON array. */
  scopes: string
  /** Whether there are refresh tokens. */
  is_offline: 0 | 1
  created_at: number
  /** When the last of what has come of it ends. */
  expires_at: number
}

export interface AuthorizationCodesTable {
  hash: string
  authorization_id: string
  /** The address that the app has asked to be answered at; null where it named none. */
  redirect_uri: string | null
  /** Of PKCE, by S256. */
  code_challenge: string | null
  expires_at: number
  /** Kept when it is used, so that it is known when it comes again. */
  used_at: number | null
}

export interface RefreshTokensTable {
  hash: string
  authorization_id: string
  expires_at: number
  /** Kept when it is used, so that it is known when it comes again. */
  used_at: number | null
}

export interface AccessTokensTable {
  id: string
  user_id: string
  /** The app it was given to; null for a personal token. */
  app_id: string | null
  name: string
  hash: string
  /** JSON array. */
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  /** Who had it made, where that was not the user. */
  created_by: string | null
  /** What it came of, where an app has it. */
  authorization_id: string | null
}
