import Type, { type Static } from 'typebox'
import { DateTime, Nullable } from './schema.ts'

/** What the browser app and the server tell one another about how somebody signs in, under /account/data/security. */

/** How the account stands. */
export const Security = Type.Object({
  /** Without one nothing of this can be changed: somebody signs in otherwise. */
  hasPassword: Type.Boolean(),
  secondFactor: Type.Object({ isOn: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  email: Type.Object({
    address: Nullable(Type.String()),
    /** The person has shown, by a mail, that it is theirs. */
    isVerified: Type.Boolean(),
    /** The address that waits for its link to be used; it will take the place of the other one. */
    waiting: Nullable(Type.String()),
    /** Whether this server sends mails: else no address can be verified. */
    canBeVerified: Type.Boolean(),
  }),
  /** The newest first. */
  sessions: Type.Array(
    Type.Object({
      startedAt: DateTime,
      endsAt: DateTime,
      /** The one in which this is asked. */
      isCurrent: Type.Boolean(),
      /** It was begun by a link that somebody else has made. */
      isByLink: Type.Boolean(),
    }),
  ),
})
export type Security = Static<typeof Security>

const Password = Type.String({ maxLength: 1000 })
const Code = Type.String({ maxLength: 100 })

export const NewSecondFactor = Type.Object({ password: Password })

/** Seen this once. It counts when a code of it is given. */
export const SecondFactorSecret = Type.Object({
  /** As people type it. */
  secret: Type.String(),
  /** As an app reads it from a picture: otpauth://totp/… */
  uri: Type.String(),
})
export type SecondFactorSecret = Static<typeof SecondFactorSecret>

/** Of the app; where the second factor counts already, a recovery code as well. */
export const SecondFactorCode = Type.Object({ code: Code })

/** Seen this once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const PasswordChange = Type.Object({ currentPassword: Password, password: Password })
export type PasswordChange = Static<typeof PasswordChange>

export const EmailChange = Type.Object({ password: Password, email: Type.String({ maxLength: 254 }) })
export type EmailChange = Static<typeof EmailChange>
