import type { PupilSymbol } from '../../contract/sign-in-pictures.ts'
import { bytes, flag, index, integer, key, text, type RowOf, table, uniqueIndex } from './define-table.ts'

/** The columns of the tables of sign-ins, tokens and apps, in the same form as those in `tables.ts`. */
export const signInTables = {
  /** A link that signs a user in once. Its row is deleted when it is used. */
  sign_in_links: table(
    {
      hash: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      /** A path on this site. */
      destination: text(),
      created_by: key(),
      expires_at: integer(),
    },
    {
      indexes: [
        index('sign_in_links_by_created_by', ['created_by']),
        index('sign_in_links_by_expires_at', ['expires_at']),
        index('sign_in_links_by_user_id', ['user_id']),
      ],
    },
  ),

  /** A user who is signed in with a browser. */
  sessions: table(
    {
      hash: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      created_at: integer(),
      expires_at: integer(),
      /** The administrator who made the sign-in link that opened the session. Null for any other session. */
      created_by: key().nullable(),
      /** 1 if the session was opened with a password that a teacher or administrator had set. */
      by_reset_password: flag().default(0),
      /** 1 if the session was opened with the PIN of a class (teaching/picture-sign-in). */
      by_pin: flag().default(0),
    },
    {
      indexes: [
        index('sessions_by_created_by', ['created_by']),
        index('sessions_by_expires_at', ['expires_at']),
        index('sessions_by_user_id', ['user_id']),
      ],
    },
  ),

  /** A class whose students sign in with a picture and a PIN. */
  class_sign_ins: table(
    {
      class_id: key().primaryKey().references('classes.id', 'cascade'),
      /** The secret part of the address of the sign-in page. */
      code: key(),
      created_at: integer(),
    },
    { indexes: [uniqueIndex('class_sign_ins_by_code', ['code'])] },
  ),

  /** The PIN of a student in one class. */
  class_pins: table(
    {
      class_id: key().references('class_sign_ins.class_id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
      symbol: key<PupilSymbol>(),
      pin_hash: text(),
      created_at: integer(),
    },
    {
      primaryKey: ['class_id', 'user_id'],
      indexes: [index('class_pins_by_user_id', ['user_id'])],
    },
  ),

  /** How a user wants the pages. Without a row, they are as the classes of the user say. */
  display_settings: table({
    user_id: key().primaryKey().references('users.id', 'cascade'),
    /** Whether the pages are larger, with fewer entries. Null: as the classes of the user say. */
    simple_pages: integer().nullable(),
  }),

  /** A class whose students get simple pages unless they choose otherwise. */
  simple_classes: table({
    class_id: key().primaryKey().references('classes.id', 'cascade'),
    created_at: integer(),
  }),

  /** A single-use link for setting another password. */
  password_resets: table(
    {
      hash: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      expires_at: integer(),
    },
    {
      indexes: [
        index('password_resets_by_expires_at', ['expires_at']),
        index('password_resets_by_user_id', ['user_id']),
      ],
    },
  ),

  /** The secret that a user's authenticator app shares with the server. */
  second_factors: table({
    user_id: key().primaryKey().references('users.id', 'cascade'),
    /** Encrypted (auth/second-factor/totp-secrets.store.ts), or in clear text if an earlier version stored it. */
    secret: bytes(),
    /** When the user first entered a valid code. The second factor is not required while this is null. */
    confirmed_at: integer().nullable(),
    /** The time step of the last accepted code. Codes of this step and of earlier ones are refused. */
    last_step: integer(),
  }),

  /** A code that replaces a code of the app once. Its row is deleted when it is used. */
  recovery_codes: table(
    {
      user_id: key().references('users.id', 'cascade'),
      hash: key(),
    },
    {
      primaryKey: ['user_id', 'hash'],
    },
  ),

  /** A passkey of a user: the public half of a WebAuthn credential. */
  passkeys: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      /** The id that the authenticator gave it, in base64url. */
      credential_id: key().unique(),
      /** COSE key. */
      public_key: bytes(),
      /** The number of uses that the authenticator counts. Many do not count and always send 0. */
      counter: integer(),
      name: text(),
      /** JSON array: how browsers reach the authenticator. */
      transports: text(),
      /** 1 if the authenticator has stored a copy elsewhere, such as in the user’s account at its maker. */
      is_synced: flag(),
      created_at: integer(),
      last_used_at: integer().nullable(),
    },
    {
      indexes: [index('passkeys_by_user', ['user_id', 'id'])],
    },
  ),

  /** A challenge that a passkey has not signed yet. Its row is deleted when it is used, whatever the result. */
  passkey_challenges: table(
    {
      hash: key().primaryKey(),
      /** What the signature is for (ChallengePurpose). */
      purpose: key(),
      /** The hash of the session, the pending sign-in or the cookie that got the challenge. No other can use it. */
      holder: key(),
      /** Null if the account is not known before the passkey is used. */
      user_id: key().nullable().references('users.id', 'cascade'),
      expires_at: integer(),
    },
    {
      indexes: [
        index('passkey_challenges_by_expires_at', ['expires_at']),
        index('passkey_challenges_by_holder', ['holder', 'purpose']),
        index('passkey_challenges_by_user_id', ['user_id']),
      ],
    },
  ),

  /** A sign-in with a correct password that still needs the code. It gives no access. */
  pending_sign_ins: table(
    {
      hash: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      expires_at: integer(),
    },
    {
      indexes: [
        index('pending_sign_ins_by_expires_at', ['expires_at']),
        index('pending_sign_ins_by_user_id', ['user_id']),
      ],
    },
  ),

  /** A mail address that a user has entered and not confirmed with the link in the mail yet. */
  email_verifications: table(
    {
      user_id: key().primaryKey().references('users.id', 'cascade'),
      email: text(),
      /** Hash of the link. Null until the mail is sent. */
      hash: key().nullable().unique(),
      expires_at: integer(),
    },
    {
      indexes: [index('email_verifications_by_expires_at', ['expires_at'])],
    },
  ),

  /** The number of recent attempts per caller and action, shared by all processes. */
  attempts: table(
    {
      /** Hash of the action and the caller, keyed with a secret of the server. */
      key: key().primaryKey(),
      count: integer(),
      expires_at: integer(),
    },
    {
      indexes: [index('attempts_by_expires_at', ['expires_at'])],
    },
  ),

  /** A program that acts for users with OAuth2. */
  apps: table(
    {
      id: key().primaryKey(),
      name: text(),
      /** Hash of the client secret. Null for a public client. */
      secret_hash: text().nullable(),
      created_at: integer(),
      /**
       * The user who registered the app. Null if it was registered on the command line or the account was
       * deleted.
       */
      owner_id: key().nullable().references('users.id', 'set null'),
    },
    {
      indexes: [index('apps_by_owner', ['owner_id', 'id'])],
    },
  ),

  /** An address to which an app may redirect users. */
  app_redirect_uris: table(
    {
      app_id: key().references('apps.id', 'cascade'),
      uri: text(),
    },
    {
      primaryKey: ['app_id', 'uri'],
    },
  ),

  app_logos: table({
    app_id: key().primaryKey().references('apps.id', 'cascade'),
    media_type: text(),
    content: bytes(),
  }),

  /** A user's consent to an app. All tokens that result from it form one family and end with it. */
  authorizations: table(
    {
      id: key().primaryKey(),
      app_id: key().references('apps.id', 'cascade'),
      user_id: key().references('users.id', 'cascade'),
      /** JSON array. */
      scopes: text(),
      /** Whether the app gets refresh tokens. */
      is_offline: flag(),
      created_at: integer(),
      /** When the last token of the family expires. */
      expires_at: integer(),
    },
    {
      indexes: [
        index('authorizations_by_app', ['app_id']),
        index('authorizations_by_expires_at', ['expires_at']),
        index('authorizations_by_user', ['user_id', 'app_id']),
      ],
    },
  ),

  authorization_codes: table(
    {
      hash: key().primaryKey(),
      authorization_id: key().references('authorizations.id', 'cascade'),
      /** The redirect address in the app's request. Null if the request had none. */
      redirect_uri: text().nullable(),
      /** The S256 code challenge of PKCE. */
      code_challenge: text().nullable(),
      expires_at: integer(),
      /** A used row is kept so that a second use is detected. */
      used_at: integer().nullable(),
    },
    {
      indexes: [index('authorization_codes_by_authorization', ['authorization_id'])],
    },
  ),

  refresh_tokens: table(
    {
      hash: key().primaryKey(),
      authorization_id: key().references('authorizations.id', 'cascade'),
      expires_at: integer(),
      /** A used row is kept so that a second use is detected. */
      used_at: integer().nullable(),
    },
    {
      indexes: [
        index('refresh_tokens_by_authorization', ['authorization_id']),
        index('refresh_tokens_by_expires_at', ['expires_at']),
      ],
    },
  ),

  access_tokens: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id', 'cascade'),
      /** The app that got the token. Null for a personal token. */
      app_id: key().nullable().references('apps.id', 'cascade'),
      name: text(),
      hash: key().unique(),
      /** JSON array. */
      scopes: text(),
      created_at: integer(),
      expires_at: integer().nullable(),
      last_used_at: integer().nullable(),
      /** The account that created the token. Null if it was the user. */
      created_by: key().nullable(),
      /** The consent that an app's token results from. */
      authorization_id: key().nullable().references('authorizations.id', 'cascade'),
    },
    {
      indexes: [
        index('access_tokens_by_authorization', ['authorization_id']),
        index('access_tokens_by_created_by', ['created_by']),
        index('access_tokens_by_user', ['user_id', 'id']),
        index(
          'access_tokens_of_apps_by_expires_at',
          ['expires_at', 'authorization_id'],
          'authorization_id is not null',
        ),
      ],
    },
  ),

  /** An OpenID provider with which members of an organization sign in. */
  sign_in_providers: table({
    /** The name of the provider in URLs. */
    name: key().primaryKey(),
    organization_id: key().references('organizations.id'),
    /** The name that users see. */
    label: text(),
    /**
     * The issuer URL. It never changes, because the provider's subject ids are only valid together with it.
     */
    issuer: text(),
    client_id: text(),
    /** Encrypted (auth/providers/client-secrets.store.ts), or in clear text if an earlier version stored it. */
    client_secret: text(),
    /** JSON object: which users and claims of the provider are accepted (ProviderRules). */
    rules: text(),
    created_at: integer(),
  }),

  /** Links a user to an account at a provider. */
  provider_accounts: table(
    {
      provider: key().references('sign_in_providers.name', 'cascade'),
      /** The provider's permanent id of the user. */
      subject: key(),
      user_id: key().references('users.id', 'cascade'),
      created_at: integer(),
    },
    {
      primaryKey: ['provider', 'subject'],
      unique: { provider_accounts_by_user: ['user_id', 'provider'] },
    },
  ),

  /** A sign-in at a provider that is not finished. */
  provider_sign_ins: table(
    {
      /** Hash of the value in the browser's cookie. */
      hash: key().primaryKey(),
      provider: key().references('sign_in_providers.name', 'cascade'),
      /** A path on this site. */
      destination: text(),
      expires_at: integer(),
    },
    {
      indexes: [
        index('provider_sign_ins_by_expires_at', ['expires_at']),
        index('provider_sign_ins_by_provider', ['provider']),
      ],
    },
  ),
}

export type SignInLinksTable = RowOf<typeof signInTables.sign_in_links>
export type SessionsTable = RowOf<typeof signInTables.sessions>
export type ClassPinsTable = RowOf<typeof signInTables.class_pins>
export type PasswordResetsTable = RowOf<typeof signInTables.password_resets>
export type SecondFactorsTable = RowOf<typeof signInTables.second_factors>
export type PasskeysTable = RowOf<typeof signInTables.passkeys>
export type EmailVerificationsTable = RowOf<typeof signInTables.email_verifications>
export type AppsTable = RowOf<typeof signInTables.apps>
export type AppLogosTable = RowOf<typeof signInTables.app_logos>
export type AuthorizationsTable = RowOf<typeof signInTables.authorizations>
export type AuthorizationCodesTable = RowOf<typeof signInTables.authorization_codes>
export type RefreshTokensTable = RowOf<typeof signInTables.refresh_tokens>
export type AccessTokensTable = RowOf<typeof signInTables.access_tokens>
export type SignInProvidersTable = RowOf<typeof signInTables.sign_in_providers>
export type ProviderAccountsTable = RowOf<typeof signInTables.provider_accounts>
export type ProviderSignInsTable = RowOf<typeof signInTables.provider_sign_ins>
