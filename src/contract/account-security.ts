import Type, { type Static } from 'typebox'
import { DateTime, Nullable } from './schema.ts'

/** Schemas of the requests and responses under /internal/security, which the browser app uses. */

/** The security settings of the account. */
export const Security = Type.Object({
  /** If false, the user signs in through an identity provider and these settings cannot be changed. */
  hasPassword: Type.Boolean(),
  /** Another person who set the password in the last 30 days. The name is null if that person left the organization. */
  passwordSetBy: Nullable(Type.Object({ username: Nullable(Type.String()), at: DateTime })),
  /** The minimum length of a new password. */
  minPasswordLength: Type.Integer(),
  secondFactor: Type.Object({
    isOn: Type.Boolean(),
    recoveryCodesLeft: Type.Integer(),
    /** Whether the user can do nothing else before a second factor is on. */
    isNeeded: Type.Boolean(),
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

const Password = Type.String({ maxLength: 1000 })
const Code = Type.String({ maxLength: 100 })

export const NewSecondFactor = Type.Object({ password: Password })

/** Sent only once. The second factor is active after the user enters a code of it. */
export const SecondFactorSecret = Type.Object({
  /** For manual input. */
  secret: Type.String(),
  /** For a QR code: otpauth://totp/… */
  uri: Type.String(),
})
export type SecondFactorSecret = Static<typeof SecondFactorSecret>

/** A code of the authenticator app. If the second factor is active, a recovery code is also accepted. */
export const SecondFactorCode = Type.Object({ code: Code })

/** Sent only once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const PasswordChange = Type.Object({ currentPassword: Password, password: Password })
export type PasswordChange = Static<typeof PasswordChange>

export const EmailChange = Type.Object({ password: Password, email: Type.String({ maxLength: 254 }) })
export type EmailChange = Static<typeof EmailChange>
