import Type, { type Static } from 'typebox'
import { DateTime, Nullable, OneOf, secret } from './schema.ts'

/** Schemas of the requests and responses under /internal/security, which the browser app uses. */

const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: DateTime,
  lastUsedAt: Nullable(DateTime),
  /** Whether the passkey has a copy on other devices of the user, so that the loss of one device is no loss. */
  isSynced: Type.Boolean(),
})
export type Passkey = Static<typeof Passkey>

/** The security settings of the account. */
export const Security = Type.Object({
  /** If false, the user signs in through an identity provider and these settings cannot be changed. */
  hasPassword: Type.Boolean(),
  /** Another person who set the password in the last 30 days. The name is null if that person left the organization. */
  passwordSetBy: Nullable(Type.Object({ username: Nullable(Type.String()), at: DateTime })),
  /** The minimum length of a new password. */
  minPasswordLength: Type.Integer(),
  /** What the user must set up before anything else, because the organization requires it. */
  missingFactor: Nullable(OneOf(['second factor', 'passkey'])),
  secondFactor: Type.Object({
    /** Whether an authenticator app is set up. */
    isOn: Type.Boolean(),
    /** They count for the app and for passkeys. */
    recoveryCodesLeft: Type.Integer(),
  }),
  passkeys: Type.Object({
    /** Whether browsers allow passkeys at the address of this server. */
    canBeAdded: Type.Boolean(),
    /** Oldest first. */
    list: Type.Array(Passkey),
  }),
  email: Type.Object({
    address: Nullable(Type.String()),
    /** Whether the user has verified the address by mail. */
    isVerified: Type.Boolean(),
    /** The new address, until its link is used. It then replaces the current address. */
    waiting: Nullable(Type.String()),
    /** Whether this server sends mails. Without mails, no address can be verified. */
    canBeVerified: Type.Boolean(),
  }),
  /** Newest first. */
  sessions: Type.Array(
    Type.Object({
      startedAt: DateTime,
      endsAt: DateTime,
      /** Whether this is the session of the request. */
      isCurrent: Type.Boolean(),
      /** Whether the session was started by a sign-in link that another user created. */
      isByLink: Type.Boolean(),
    }),
  ),
})
export type Security = Static<typeof Security>

const Password = Type.String({ ...secret, maxLength: 1000 })
const Code = Type.String({ ...secret, maxLength: 100 })

/** Bytes in base64url. */
const Bytes = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' })
const CredentialId = Bytes(1400)

/**
 * What a browser returns when a passkey has signed a challenge: `AuthenticationResponseJSON` of WebAuthn, of which only these
 * members are read.
 */
export const PasskeyAssertion = Type.Object({
  id: CredentialId,
  response: Type.Object({
    clientDataJSON: Bytes(4000),
    authenticatorData: Bytes(4000),
    signature: Bytes(4000),
    /** The id of the account. Authenticators that do not store it leave it out. */
    userHandle: Type.Optional(Nullable(Bytes(100))),
  }),
})
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

/** What a browser returns when it has created a passkey: `RegistrationResponseJSON` of WebAuthn. */
export const PasskeyRegistration = Type.Object({
  id: CredentialId,
  response: Type.Object({
    clientDataJSON: Bytes(4000),
    attestationObject: Bytes(20_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
})
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

/**
 * How the caller proves to own the account. An account with a second factor needs a code of the authenticator app, a recovery
 * code or a passkey; any other account needs the password.
 */
export const Proof = Type.Object({
  password: Type.Optional(Password),
  code: Type.Optional(Code),
  passkey: Type.Optional(PasskeyAssertion),
})
export type Proof = Static<typeof Proof>

/** Sent only once. The second factor is active after the user enters a code of it. */
export const SecondFactorSecret = Type.Object({
  /** For manual input. */
  secret: Type.String(),
  /** For a QR code: otpauth://totp/… */
  uri: Type.String(),
})
export type SecondFactorSecret = Static<typeof SecondFactorSecret>

/** A code of the authenticator app. */
export const SecondFactorCode = Type.Object({ code: Code })

/** Sent only once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

const CredentialDescriptor = Type.Object({
  id: Type.String(),
  type: OneOf(['public-key']),
  transports: Type.Array(Type.String()),
})

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn: what a browser needs to create a passkey. */
export const PasskeyCreation = Type.Object({
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ type: OneOf(['public-key']), alg: Type.Integer() })),
  /** In milliseconds. */
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(CredentialDescriptor),
  authenticatorSelection: Type.Object({
    residentKey: OneOf(['preferred']),
    userVerification: OneOf(['preferred']),
  }),
  attestation: OneOf(['none']),
})
export type PasskeyCreation = Static<typeof PasskeyCreation>

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn: what a browser needs to use a passkey. */
export const PasskeyRequest = Type.Object({
  rpId: Type.String(),
  challenge: Type.String(),
  /** In milliseconds. */
  timeout: Type.Integer(),
  /** Empty if the browser offers every passkey of this server. */
  allowCredentials: Type.Array(CredentialDescriptor),
  userVerification: OneOf(['required', 'preferred']),
})
export type PasskeyRequest = Static<typeof PasskeyRequest>

const PasskeyName = Type.String({ maxLength: 100 })

export const NewPasskey = Type.Object({ name: PasskeyName, credential: PasskeyRegistration })
export type NewPasskey = Static<typeof NewPasskey>

export const PasskeyChange = Type.Object({ name: PasskeyName })

/** The recovery codes are sent only once, with the first second factor of the account. */
export const AddedPasskey = Type.Object({
  passkey: Passkey,
  recoveryCodes: Nullable(Type.Array(Type.String())),
})
export type AddedPasskey = Static<typeof AddedPasskey>

export const PasswordChange = Type.Object({ currentPassword: Password, password: Password })
export type PasswordChange = Static<typeof PasswordChange>

export const EmailChange = Type.Object({ password: Password, email: Type.String({ maxLength: 254 }) })
export type EmailChange = Static<typeof EmailChange>
